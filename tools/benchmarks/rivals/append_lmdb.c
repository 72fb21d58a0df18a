// Appends fixes to a ledger's log as the ledger does, in C: entries in packed blocks with a CRC32C,
// the RFC 6962 tree, the source's row and its time index; each batch is durable before the next.
//
//     append_lmdb LEDGER/log BATCH BATCHES
//
// The log must have one source, which has an event already. `ledger verify` accepts what comes out.
#include "fixes.h"
#include "log.h"
#include <sys/random.h>

enum { EVENTS_PER_TIME_ROW = 64, SOURCE = 1, STATE_BYTES = 20, SOURCE_ROW_BYTES = 32 };

typedef struct {
    MDB_dbi blocks, tree, state, sources, times;
} tables;

// One transaction's view of the log.
typedef struct {
    MDB_txn *transaction;
    const tables *tables;
    frontier tree;
    int64_t recorded_at;
    uint64_t first_position;
    uint32_t count;
    uint32_t length;
    int64_t earliest, latest;
    bool is_new_block;
    uint8_t block[BLOCK_BYTES];
    uint8_t source_row[SOURCE_ROW_BYTES + 255];
    size_t source_row_bytes;
} appender;

static uint64_t next_nonce(void) {
    static uint64_t buffer[512];
    static size_t used = 512;
    if (used == 512) {
        if (getrandom(buffer, sizeof buffer, 0) != sizeof buffer) fail("getrandom");
        used = 0;
    }
    return buffer[used++];
}

static void put(MDB_txn *transaction, MDB_dbi table, const void *key, size_t key_bytes,
                const void *value, size_t value_bytes, unsigned flags) {
    MDB_val k = {key_bytes, (void *)key}, v = {value_bytes, (void *)value};
    require(mdb_put(transaction, table, &k, &v, flags), "mdb_put");
}

static MDB_val get(MDB_txn *transaction, MDB_dbi table, const void *key, size_t key_bytes) {
    MDB_val k = {key_bytes, (void *)key}, value;
    require(mdb_get(transaction, table, &k, &value), "mdb_get");
    return value;
}

static void read_open_block(appender *log) {
    MDB_cursor *cursor;
    MDB_val key, value;
    require(mdb_cursor_open(log->transaction, log->tables->blocks, &cursor), "mdb_cursor_open");
    require(mdb_cursor_get(cursor, &key, &value, MDB_LAST), "mdb_cursor_get");
    const uint8_t *block = value.mv_data;
    if (read_number(block, 4) != crc32c(block + 4, value.mv_size - 4)) fail("a wrong checksum");
    if (value.mv_size > BLOCK_BYTES) fail("a long last block");
    memcpy(log->block, block, value.mv_size);
    mdb_cursor_close(cursor);
    log->count = (uint32_t)read_number(block + 4, 2);
    log->length = (uint32_t)value.mv_size;
    log->earliest = read_signed(block + 16, 8);
    log->latest = log->earliest + (int64_t)read_number(block + 12, 4);
    log->first_position = read_number(block + 24, 8);
    log->is_new_block = false;
}

static void begin(appender *log, MDB_env *environment, const tables *tables) {
    require(mdb_txn_begin(environment, NULL, 0, &log->transaction), "mdb_txn_begin");
    log->tables = tables;
    const uint8_t *state = get(log->transaction, tables->state, "log", 3).mv_data;
    log->tree.size = read_number(state + 4, 8);
    log->tree.depth = __builtin_popcountll(log->tree.size);
    memcpy(log->tree.roots, state + STATE_BYTES, (size_t)log->tree.depth * HASH_BYTES);
    int64_t last = read_signed(state + 12, 8), now = milliseconds_now();
    log->recorded_at = now > last ? now : last;
    const uint8_t source[4] = {0, 0, 0, SOURCE};
    MDB_val row = get(log->transaction, tables->sources, source, 4);
    memcpy(log->source_row, row.mv_data, row.mv_size);
    log->source_row_bytes = row.mv_size;
    read_open_block(log);
}

static void write_block(appender *log) {
    uint8_t *block = log->block, key[8];
    int64_t span = log->latest - log->earliest;
    write_number(block + 4, log->count, 2);
    block[6] = 1, block[7] = 0;
    write_number(block + 8, log->length, 4);
    write_number(block + 12, span > UINT32_MAX ? UINT32_MAX : (uint64_t)span, 4);
    write_number(block + 16, (uint64_t)log->earliest, 8);
    write_number(block + 24, log->first_position, 8);
    write_number(block, crc32c(block + 4, log->length - 4), 4);
    write_key(key, log->first_position);
    put(log->transaction, log->tables->blocks, key, 8, block, log->length,
        log->is_new_block ? MDB_APPEND : 0);
}

static void index_time(appender *log, int64_t occurred_at, uint64_t position) {
    uint64_t in_order = read_number(log->source_row + 24, 8);
    if (occurred_at <= read_signed(log->source_row, 8)) fail("a fix that is not in order");
    write_number(log->source_row, (uint64_t)occurred_at, 8);
    write_number(log->source_row + 8, position, 8);
    write_number(log->source_row + 16, read_number(log->source_row + 16, 8) + 1, 8);
    write_number(log->source_row + 24, in_order + 1, 8);
    if (in_order % EVENTS_PER_TIME_ROW != 0) return;
    uint8_t key[20] = {0, 0, 0, SOURCE};
    write_key(key + 4, (uint64_t)occurred_at ^ UINT64_C(1) << 63);
    write_key(key + 12, position);
    put(log->transaction, log->tables->times, key, sizeof key, "", 0, 0);
}

static void append(appender *log, const fix_numbers *fix) {
    if (log->length + FIX_ENTRY_BYTES > BLOCK_BYTES) {
        write_block(log);
        log->first_position += log->count;
        log->count = 0, log->length = HEADER_BYTES;
        log->earliest = log->latest = fix->occurred_at;
        log->is_new_block = true;
    }
    uint8_t *entry = log->block + log->length, hash[HASH_BYTES], subtree[HASH_BYTES], key[8];
    entry[LENGTH_AT] = FIX_ENTRY_BYTES, entry[KIND_AT] = FIX_RECORDED;
    entry[FORM_AT] = PLAIN_NARROW_FIX;
    write_number(entry + SOURCE_AT, SOURCE, 3);
    write_number(entry + OCCURRED_AT, (uint64_t)fix->occurred_at, 6);
    write_number(entry + RECORDED_AT, (uint64_t)log->recorded_at, 6);
    write_number(entry + NONCE_AT, next_nonce(), 8);
    write_payload(entry + PAYLOAD_AT, fix);
    hash_leaf(entry, FIX_ENTRY_BYTES, hash);
    uint64_t position = log->tree.size;
    if (grow(&log->tree, hash, subtree)) {
        write_key(key, position >> SUBTREE_LEVEL);
        put(log->transaction, log->tables->tree, key, 8, subtree, HASH_BYTES, MDB_APPEND);
    }
    index_time(log, fix->occurred_at, position);
    if (fix->occurred_at < log->earliest) log->earliest = fix->occurred_at;
    if (fix->occurred_at > log->latest) log->latest = fix->occurred_at;
    log->length += FIX_ENTRY_BYTES;
    log->count++;
}

static void commit(appender *log) {
    uint8_t state[STATE_BYTES + LEVELS * HASH_BYTES] = {1};
    const uint8_t source[4] = {0, 0, 0, SOURCE};
    write_block(log);
    put(log->transaction, log->tables->sources, source, 4, log->source_row, log->source_row_bytes,
        0);
    write_number(state + 4, log->tree.size, 8);
    write_number(state + 12, (uint64_t)log->recorded_at, 8);
    size_t roots = (size_t)log->tree.depth * HASH_BYTES;
    memcpy(state + STATE_BYTES, log->tree.roots, roots);
    put(log->transaction, log->tables->state, "log", 3, state, STATE_BYTES + roots, 0);
    require(mdb_txn_commit(log->transaction), "mdb_txn_commit");
}

int main(int count, char **arguments) {
    if (count != 4) fail("usage: append_lmdb LEDGER/log BATCH BATCHES");
    uint64_t batch = number_argument(arguments[2]), batches = number_argument(arguments[3]);
    MDB_env *environment = open_environment(arguments[1], 0, (size_t)4 << 30);
    MDB_txn *transaction;
    require(mdb_txn_begin(environment, NULL, 0, &transaction), "mdb_txn_begin");
    tables tables = {
        open_table(transaction, "blocks", 0), open_table(transaction, "tree", 0),
        open_table(transaction, "state", 0), open_table(transaction, "sources", 0),
        open_table(transaction, "times", 0),
    };
    require(mdb_txn_commit(transaction), "mdb_txn_commit");
    static appender log;
    double start = seconds_now();
    for (uint64_t number = 0; number < batches; number++) {
        begin(&log, environment, &tables);
        for (uint64_t index = 0; index < batch; index++) {
            fix_numbers fix = fix_at(number * batch + index);
            append(&log, &fix);
        }
        commit(&log);
    }
    printf("%.6f\n", seconds_now() - start);
    mdb_env_close(environment);
    return 0;
}
