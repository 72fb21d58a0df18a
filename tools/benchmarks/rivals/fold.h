// From entries to stored views: decodes each entry, gives it to its source's tracker, and keeps
// trips, sums by hour and the trackers in an LMDB environment, in one transaction.
#ifndef FOLD_H
#define FOLD_H

#include "tracker.h"

typedef struct {
    int64_t trips, distance, gap_distance, driving_time;
} sums;

static struct {
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi trips, trips_in_order, totals, trackers, state;
    uint64_t entries;
    sums all;
    tracker **by_source;
    uint32_t source_count;
    char (*names)[256];
    bool shows_trips;
} fold;

static void store(MDB_dbi table, const void *key, size_t key_bytes, const void *value,
                  size_t value_bytes) {
    MDB_val k = {key_bytes, (void *)key}, v = {value_bytes, (void *)value};
    require(mdb_put(fold.transaction, table, &k, &v, 0), "mdb_put");
}

static void begin_fold(const char *views, bool shows_trips) {
    fold.shows_trips = shows_trips;
    fold.environment = open_environment(views, 0, (size_t)1 << 30);
    require(mdb_txn_begin(fold.environment, NULL, 0, &fold.transaction), "mdb_txn_begin");
    fold.trips = open_table(fold.transaction, "trips", MDB_CREATE);
    fold.trips_in_order = open_table(fold.transaction, "trips_in_order", MDB_CREATE);
    fold.totals = open_table(fold.transaction, "totals", MDB_CREATE);
    fold.trackers = open_table(fold.transaction, "trackers", MDB_CREATE);
    fold.state = open_table(fold.transaction, "state", MDB_CREATE);
}

static void show_trip(const trip *ended) {
    for (size_t index = 0; index < sizeof ended->id; index++) printf("%02x", ended->id[index]);
    printf(" %d %lld %lld %lld %lld %lld", ended->has_start, (long long)ended->started_at,
           (long long)ended->ended_at, (long long)ended->distance, (long long)ended->gap_distance,
           (long long)ended->moving_time);
    for (int index = 0; index < VERDICTS; index++) {
        printf(" %lld", (long long)ended->fixes[index]);
    }
    printf("\n");
}

static void take_trip(const trip *ended) {
    uint8_t key[24], hour[8];
    write_key(key, (uint64_t)ended->started_at ^ UINT64_C(1) << 63);
    memcpy(key + 8, ended->id, sizeof ended->id);
    store(fold.trips, ended->id, sizeof ended->id, key, sizeof key);
    store(fold.trips_in_order, key, sizeof key, ended, sizeof *ended);
    if (fold.shows_trips) show_trip(ended);
    if (!ended->has_start) return;
    write_key(hour, (uint64_t)(ended->started_at / 3600000));
    MDB_val k = {sizeof hour, hour}, old;
    sums total = {0};
    int status = mdb_get(fold.transaction, fold.totals, &k, &old);
    if (status != MDB_NOTFOUND) {
        require(status, "mdb_get");
        memcpy(&total, old.mv_data, sizeof total);
    }
    sums *both[] = {&total, &fold.all};
    for (int index = 0; index < 2; index++) {
        both[index]->trips++;
        both[index]->distance += ended->distance;
        both[index]->gap_distance += ended->gap_distance;
        both[index]->driving_time += ended->ended_at - ended->started_at;
    }
    store(fold.totals, hour, sizeof hour, &total, sizeof total);
}

static inline tracker *tracker_of(uint32_t source) {
    if (source < fold.source_count && fold.by_source[source]) return fold.by_source[source];
    if (source >= fold.source_count) {
        uint32_t count = 2 * source + 2;
        fold.by_source = realloc(fold.by_source, count * sizeof *fold.by_source);
        fold.names = realloc(fold.names, count * sizeof *fold.names);
        if (!fold.by_source || !fold.names) fail("out of memory");
        memset(fold.by_source + fold.source_count, 0,
               (count - fold.source_count) * sizeof *fold.by_source);
        fold.source_count = count;
    }
    tracker *made = calloc(1, sizeof *made);
    if (!made) fail("out of memory");
    made->source = source;
    made->latest_event_at = INT64_MIN;
    return fold.by_source[source] = made;
}

// Remembers the name that a number stands for: fields 0x05, a number, and 0x06, text.
static void register_source(const uint8_t *entry, size_t length) {
    const uint8_t *field = entry + PAYLOAD_AT, *end = entry + length;
    uint32_t number = 0, shift = 0;
    if (field[0] != 0x05 || field[2] != 0) fail("a source's number that is not understood");
    for (const uint8_t *byte = field + 3; shift < 28; byte++, shift += 7) {
        number |= (uint32_t)(*byte & 0x7F) << shift;
        if (!(*byte & 0x80)) break;
    }
    number >>= 1;
    field += 2 + field[1];
    if (field >= end || field[0] != 0x06) fail("a source's name that is not understood");
    tracker_of(number);
    fold.names[number][0] = (char)field[1];
    memcpy(fold.names[number] + 1, field + 2, field[1]);
}

// The identity digest: what makes an event without a sender's id the event it is.
static void identify(const uint8_t *entry, size_t length, uint32_t source, uint8_t *digest) {
    SHA256_CTX context;
    const uint8_t tag = 0x02;
    int64_t at = read_signed(entry + OCCURRED_AT, 6);
    SHA256_Init(&context);
    SHA256_Update(&context, &tag, 1);
    SHA256_Update(&context, fold.names[source], 1 + (size_t)(uint8_t)fold.names[source][0]);
    SHA256_Update(&context, &at, 8);
    SHA256_Update(&context, entry + KIND_AT, 2);
    SHA256_Update(&context, entry + PAYLOAD_AT, length - PAYLOAD_AT);
    SHA256_Final(digest, &context);
}

static void take_other(const uint8_t *entry, size_t length) {
    uint32_t source = (uint32_t)read_number(entry + SOURCE_AT, 3);
    int64_t at = read_signed(entry + OCCURRED_AT, 6);
    int64_t recorded_at = read_signed(entry + RECORDED_AT, 6);
    uint8_t digest[HASH_BYTES];
    switch (entry[KIND_AT]) {
    case LEDGER_CREATED:
        break;
    case SOURCE_REGISTERED:
        register_source(entry, length);
        break;
    case GO_PRESSED:
        if (entry[FORM_AT] != 0) fail("a press that is not understood");
        identify(entry, length, source, digest);
        press_go(tracker_of(source), at, recorded_at, digest);
        break;
    case STOP_PRESSED:
        press_stop(tracker_of(source), at, recorded_at);
        break;
    default:
        fail("an event of kind %d: this program folds fixes and presses only", entry[KIND_AT]);
    }
}

static inline void take_entry(const uint8_t *entry, size_t length) {
    fold.entries++;
    if (entry[KIND_AT] != FIX_RECORDED) {
        take_other(entry, length);
        return;
    }
    if (entry[FORM_AT] != PLAIN_NARROW_FIX || length != FIX_ENTRY_BYTES) {
        fail("a fix that is not a plain narrow one");
    }
    const uint8_t *payload = entry + PAYLOAD_AT;
    uint16_t accuracy = (uint16_t)read_number(payload + 11, 2);
    uint16_t speed = (uint16_t)read_number(payload + 13, 2);
    fix next = {
        .at = read_signed(entry + OCCURRED_AT, 6),
        .place = {(double)(int32_t)read_number(payload, 4) / 1e7,
                  (double)(int32_t)read_number(payload + 4, 4) / 1e7},
        .accuracy = accuracy < 65534 ? (double)accuracy / 10 : -1,
        .speed = speed < 65534 ? (double)speed / 100 : -1,
        .is_mock = payload[17] >= 0xC0,
    };
    if (!(fabs(next.place.latitude) <= 90) || !(fabs(next.place.longitude) <= 180)) {
        fail("a fix that is nowhere");
    }
    take_fix(tracker_of((uint32_t)read_number(entry + SOURCE_AT, 3)), &next,
             read_signed(entry + RECORDED_AT, 6));
}

// Stores how far the fold has got, and prints what it found.
static void finish_fold(void) {
    for (uint32_t source = 0; source < fold.source_count; source++) {
        if (!fold.by_source[source]) continue;
        uint8_t key[4] = {0};
        write_number(key, __builtin_bswap32(source), 4);
        store(fold.trackers, key, sizeof key, fold.by_source[source], sizeof(tracker));
    }
    store(fold.state, "views", 5, &fold.entries, sizeof fold.entries);
    require(mdb_txn_commit(fold.transaction), "mdb_txn_commit");
    printf("%llu entries %lld trips %lld mm %lld mm of gaps\n", (unsigned long long)fold.entries,
           (long long)fold.all.trips, (long long)fold.all.distance,
           (long long)fold.all.gap_distance);
}

#endif
