// The code that the C programs share: the log's formats (Formats.md), CRC32C, and the hashes of RFC
// 6962.
#ifndef LOG_H
#define LOG_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <lmdb.h>
#include <openssl/sha.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#endif

enum { HEADER_BYTES = 32, BLOCK_BYTES = 4080, HASH_BYTES = 32, SUBTREE_LEVEL = 8, LEVELS = 64 };
enum { LENGTH_AT = 0, KIND_AT = 1, FORM_AT = 2, SOURCE_AT = 3, OCCURRED_AT = 6, RECORDED_AT = 12,
       NONCE_AT = 18, PAYLOAD_AT = 26, NARROW_FIX_BYTES = 18,
       FIX_ENTRY_BYTES = PAYLOAD_AT + NARROW_FIX_BYTES };
enum { LEDGER_CREATED = 0x01, SOURCE_REGISTERED = 0x02, FIX_RECORDED = 0x10, GO_PRESSED = 0x12,
       STOP_PRESSED = 0x13 };
enum { PLAIN_NARROW_FIX = 1 << 4 };

__attribute__((noreturn, format(printf, 1, 2))) static inline void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static inline void require(int status, const char *what) {
    if (status != MDB_SUCCESS) fail("%s: %s", what, mdb_strerror(status));
}

// Little-endian numbers of the widths that entries have, by loads alone: a number that is put
// together in memory would have to wait for its parts.
static inline uint64_t read_number(const uint8_t *bytes, int width) {
    uint64_t eight;
    uint32_t four;
    uint16_t two;
    switch (width) {
    case 8:
        memcpy(&eight, bytes, 8);
        return eight;
    case 6:
        memcpy(&four, bytes, 4);
        memcpy(&two, bytes + 4, 2);
        return four | (uint64_t)two << 32;
    case 4:
        memcpy(&four, bytes, 4);
        return four;
    case 3:
        memcpy(&two, bytes, 2);
        return two | (uint64_t)bytes[2] << 16;
    default:
        memcpy(&two, bytes, 2);
        return two;
    }
}

static inline int64_t read_signed(const uint8_t *bytes, int width) {
    int unused = 64 - 8 * width;
    return (int64_t)(read_number(bytes, width) << unused) >> unused;
}

static inline void write_number(uint8_t *bytes, uint64_t number, int width) {
    memcpy(bytes, &number, (size_t)width);
}

static inline void write_key(uint8_t *bytes, uint64_t number) {
    number = __builtin_bswap64(number);
    memcpy(bytes, &number, 8);
}

#if defined(__x86_64__)
__attribute__((target("sse4.2")))
#elif defined(__aarch64__)
__attribute__((target("+crc")))
#endif
static inline uint32_t crc32c(const uint8_t *bytes, size_t count) {
    uint64_t crc = ~0u;
#if defined(__x86_64__)
    for (; count >= 8; count -= 8, bytes += 8) crc = _mm_crc32_u64(crc, read_number(bytes, 8));
    for (; count > 0; count--) crc = _mm_crc32_u8((uint32_t)crc, *bytes++);
#elif defined(__aarch64__)
    for (; count >= 8; count -= 8, bytes += 8) {
        crc = __crc32cd((uint32_t)crc, read_number(bytes, 8));
    }
    for (; count > 0; count--) crc = __crc32cb((uint32_t)crc, *bytes++);
#else
#error "CRC32C needs an instruction of its own: the ledger would be compared with a slow rival"
#endif
    return ~(uint32_t)crc;
}

static inline void hash_leaf(const uint8_t *entry, size_t length, uint8_t *digest) {
    SHA256_CTX context;
    const uint8_t prefix = 0;
    SHA256_Init(&context);
    SHA256_Update(&context, &prefix, 1);
    SHA256_Update(&context, entry, length);
    SHA256_Final(digest, &context);
}

static inline void hash_node(const uint8_t *left, const uint8_t *right, uint8_t *digest) {
    SHA256_CTX context;
    const uint8_t prefix = 1;
    SHA256_Init(&context);
    SHA256_Update(&context, &prefix, 1);
    SHA256_Update(&context, left, HASH_BYTES);
    SHA256_Update(&context, right, HASH_BYTES);
    SHA256_Final(digest, &context);
}

// The roots of the maximal full subtrees over the entries so far, largest first.
typedef struct {
    uint64_t size;
    int depth;
    uint8_t roots[LEVELS][HASH_BYTES];
} frontier;

// Adds a leaf hash. Returns whether it completes 256 leaves, whose root is put into `subtree`.
static inline bool grow(frontier *tree, uint8_t *hash, uint8_t *subtree) {
    int level = 0;
    for (uint64_t bits = tree->size; bits & 1; bits >>= 1) {
        hash_node(tree->roots[--tree->depth], hash, hash);
        if (++level == SUBTREE_LEVEL) memcpy(subtree, hash, HASH_BYTES);
    }
    memcpy(tree->roots[tree->depth++], hash, HASH_BYTES);
    tree->size++;
    return level >= SUBTREE_LEVEL;
}

static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline int64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline MDB_env *open_environment(const char *path, unsigned flags, size_t map_bytes) {
    MDB_env *environment;
    require(mdb_env_create(&environment), "mdb_env_create");
    require(mdb_env_set_maxdbs(environment, 8), "mdb_env_set_maxdbs");
    if (map_bytes > 0) require(mdb_env_set_mapsize(environment, map_bytes), "mdb_env_set_mapsize");
    require(mdb_env_open(environment, path, flags, 0600), path);
    return environment;
}

static inline MDB_dbi open_table(MDB_txn *transaction, const char *name, unsigned flags) {
    MDB_dbi table;
    require(mdb_dbi_open(transaction, name, flags, &table), name);
    return table;
}

// Reads a log's blocks in order, checks each, and gives the pages back that lie behind.
typedef struct {
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_cursor *cursor;
    uintptr_t first, lowest, highest;
    size_t touched;
} block_reader;

// A page that is touched may bring a whole folio with it, and so pages that were given back.
enum { FORGET_BYTES = 4 << 20, FOLIO_BYTES = 2 << 20 };

static inline block_reader read_blocks(const char *path) {
    block_reader reader = {.lowest = UINTPTR_MAX};
    reader.environment = open_environment(path, MDB_RDONLY, 0);
    require(mdb_txn_begin(reader.environment, NULL, MDB_RDONLY, &reader.transaction),
            "mdb_txn_begin");
    MDB_dbi blocks = open_table(reader.transaction, "blocks", 0);
    require(mdb_cursor_open(reader.transaction, blocks, &reader.cursor), "mdb_cursor_open");
    return reader;
}

static inline void forget(block_reader *reader, const uint8_t *block, size_t size) {
    if (!reader->first) reader->first = (uintptr_t)block;
    if ((uintptr_t)block < reader->lowest) reader->lowest = (uintptr_t)block;
    if ((uintptr_t)block + size > reader->highest) reader->highest = (uintptr_t)block + size;
    reader->touched += size;
    if (reader->touched < FORGET_BYTES) return;
    reader->lowest = reader->lowest - FOLIO_BYTES;
    // Before the first block there may be memory that is not the log's.
    if (reader->lowest < reader->first) reader->lowest = reader->first;
    reader->lowest &= ~(uintptr_t)4095;
    madvise((void *)reader->lowest, reader->highest - reader->lowest, MADV_DONTNEED);
    reader->lowest = UINTPTR_MAX, reader->highest = 0, reader->touched = 0;
}

// Returns the next block's bytes, valid until the call after the next; NULL at the end.
static inline const uint8_t *next_block(block_reader *reader, size_t *size) {
    MDB_val key, value;
    int status = mdb_cursor_get(reader->cursor, &key, &value, MDB_NEXT);
    if (status == MDB_NOTFOUND) return NULL;
    require(status, "mdb_cursor_get");
    const uint8_t *block = value.mv_data;
    if (value.mv_size < HEADER_BYTES || block[6] != 1) fail("a block that is not a plain one");
    if (read_number(block, 4) != crc32c(block + 4, value.mv_size - 4)) fail("a wrong checksum");
    *size = value.mv_size;
    return block;
}

static inline size_t entry_bytes(const uint8_t *entry) {
    return entry[0] ? entry[0] : read_number(entry + 1, 2);
}

#endif
