// Appends fixes as blobs to a table of SQLite: WAL, synchronous=FULL, one transaction a batch.
//
//     append_sqlite FILE BATCH BATCHES
#include "fixes.h"
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

static sqlite3 *database;

static void require(int is_done) {
    if (is_done) return;
    fprintf(stderr, "append_sqlite: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *statement) {
    require(sqlite3_exec(database, statement, NULL, NULL, NULL) == SQLITE_OK);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    uint64_t batch = number_argument(arguments[2]), batches = number_argument(arguments[3]);
    uint8_t blob[BLOB_BYTES];
    sqlite3_stmt *begin, *insert, *commit;
    require(sqlite3_open(arguments[1], &database) == SQLITE_OK);
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    run("CREATE TABLE events (position INTEGER PRIMARY KEY, entry BLOB NOT NULL)");
    sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL);
    sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL);
    sqlite3_prepare_v2(database, "INSERT INTO events (entry) VALUES (?)", -1, &insert, NULL);
    double start = seconds_now();
    for (uint64_t number = 0; number < batches; number++) {
        require(sqlite3_step(begin) == SQLITE_DONE);
        sqlite3_reset(begin);
        for (uint64_t index = 0; index < batch; index++) {
            write_blob(blob, number * batch + index);
            sqlite3_bind_blob(insert, 1, blob, BLOB_BYTES, SQLITE_STATIC);
            require(sqlite3_step(insert) == SQLITE_DONE);
            sqlite3_reset(insert);
        }
        require(sqlite3_step(commit) == SQLITE_DONE);
        sqlite3_reset(commit);
    }
    printf("%.6f\n", seconds_now() - start);
    return 0;
}
