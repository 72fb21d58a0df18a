// Appends fixes as values to RocksDB under their positions: one synchronous write a batch.
//
//     append_rocksdb DIRECTORY BATCH BATCHES
#include "fixes.h"
#include <rocksdb/c.h>
#include <stdio.h>
#include <time.h>

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void require(const char *error) {
    if (!error) return;
    fprintf(stderr, "append_rocksdb: %s\n", error);
    exit(1);
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    uint64_t batch = number_argument(arguments[2]), batches = number_argument(arguments[3]);
    uint8_t blob[BLOB_BYTES];
    char *error = NULL;
    rocksdb_options_t *options = rocksdb_options_create();
    rocksdb_options_set_create_if_missing(options, 1);
    rocksdb_t *database = rocksdb_open(options, arguments[1], &error);
    require(error);
    rocksdb_writeoptions_t *durably = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(durably, 1);
    rocksdb_writebatch_t *writes = rocksdb_writebatch_create();
    double start = seconds_now();
    for (uint64_t number = 0; number < batches; number++) {
        rocksdb_writebatch_clear(writes);
        for (uint64_t index = 0; index < batch; index++) {
            uint64_t position = number * batch + index, key = __builtin_bswap64(position);
            write_blob(blob, position);
            rocksdb_writebatch_put(
                writes, (const char *)&key, sizeof key, (const char *)blob, BLOB_BYTES);
        }
        rocksdb_write(database, durably, writes, &error);
        require(error);
    }
    printf("%.6f\n", seconds_now() - start);
    rocksdb_close(database);
    return 0;
}
