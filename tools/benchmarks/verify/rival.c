// What `ledger verify` has to do at least, in C over LMDB and OpenSSL: read every block, check its
// CRC32C, hash every entry and every node of the RFC 6962 tree, and print size and root.
//
//     cc -O2 rival.c -llmdb -lcrypto -o rival && ./rival LEDGER/log
#define OPENSSL_SUPPRESS_DEPRECATED
#include <lmdb.h>
#include <nmmintrin.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HEADER_BYTES 32
#define FORGET_BYTES (4u << 20)

static void require(int status, const char *what) {
    if (status != MDB_SUCCESS) {
        fprintf(stderr, "rival: %s: %s\n", what, mdb_strerror(status));
        exit(1);
    }
}

__attribute__((target("sse4.2"))) static uint32_t crc32c(const uint8_t *p, size_t n) {
    uint64_t wide = ~0u;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    uint32_t crc = (uint32_t)wide;
    for (; n > 0; n--) {
        crc = _mm_crc32_u8(crc, *p++);
    }
    return ~crc;
}

static void hash_leaf(const uint8_t *entry, size_t length, uint8_t *digest) {
    SHA256_CTX context;
    const uint8_t prefix = 0;
    SHA256_Init(&context);
    SHA256_Update(&context, &prefix, 1);
    SHA256_Update(&context, entry, length);
    SHA256_Final(digest, &context);
}

static void hash_node(const uint8_t *left, const uint8_t *right, uint8_t *digest) {
    SHA256_CTX context;
    const uint8_t prefix = 1;
    SHA256_Init(&context);
    SHA256_Update(&context, &prefix, 1);
    SHA256_Update(&context, left, 32);
    SHA256_Update(&context, right, 32);
    SHA256_Final(digest, &context);
}

static uint8_t frontier[64][32];
static int depth = 0;
static uint64_t size = 0;

static void append(const uint8_t *entry, size_t length) {
    uint8_t hash[32];
    hash_leaf(entry, length, hash);
    for (uint64_t bits = size; bits & 1; bits >>= 1) {
        hash_node(frontier[--depth], hash, hash);
    }
    memcpy(frontier[depth++], hash, 32);
    size++;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: rival LEDGER/log\n");
        return 64;
    }
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi blocks;
    MDB_cursor *cursor;
    MDB_val key, value;
    require(mdb_env_create(&environment), "mdb_env_create");
    require(mdb_env_set_maxdbs(environment, 8), "mdb_env_set_maxdbs");
    require(mdb_env_open(environment, arguments[1], MDB_RDONLY, 0600), "mdb_env_open");
    require(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction), "mdb_txn_begin");
    require(mdb_dbi_open(transaction, "blocks", 0, &blocks), "mdb_dbi_open");
    require(mdb_cursor_open(transaction, blocks, &cursor), "mdb_cursor_open");
    uintptr_t lowest = UINTPTR_MAX, highest = 0;
    size_t touched = 0;
    while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS) {
        const uint8_t *block = value.mv_data;
        uint32_t checksum;
        memcpy(&checksum, block, 4);
        if (checksum != crc32c(block + 4, value.mv_size - 4)) {
            fprintf(stderr, "rival: wrong checksum\n");
            return 1;
        }
        for (size_t at = HEADER_BYTES; at < value.mv_size;) {
            size_t length = block[at] ? block[at] : block[at + 1] | (size_t)block[at + 2] << 8;
            append(block + at, length);
            at += length;
        }
        if ((uintptr_t)block < lowest) lowest = (uintptr_t)block;
        if ((uintptr_t)block + value.mv_size > highest) highest = (uintptr_t)block + value.mv_size;
        touched += value.mv_size;
        if (touched >= FORGET_BYTES) {
            lowest &= ~(uintptr_t)4095;
            madvise((void *)lowest, highest - lowest, MADV_DONTNEED);
            lowest = UINTPTR_MAX, highest = 0, touched = 0;
        }
    }
    uint8_t root[32];
    memcpy(root, frontier[depth - 1], 32);
    for (int index = depth - 2; index >= 0; index--) hash_node(frontier[index], root, root);
    printf("%llu ", (unsigned long long)size);
    for (int index = 0; index < 32; index++) printf("%02x", root[index]);
    printf("\n");
    return 0;
}
