// The least that `ledger verify` has to do: read every block, check its CRC32C, hash every entry
// and every node of the RFC 6962 tree, and print size and root.
//
//     verify_log LEDGER/log
#include "log.h"

int main(int count, char **arguments) {
    if (count != 2) fail("usage: verify_log LEDGER/log");
    block_reader reader = read_blocks(arguments[1]);
    frontier tree = {0};
    uint8_t hash[HASH_BYTES], subtree[HASH_BYTES];
    size_t size;
    const uint8_t *block;
    while ((block = next_block(&reader, &size))) {
        for (size_t at = HEADER_BYTES; at < size; at += entry_bytes(block + at)) {
            hash_leaf(block + at, entry_bytes(block + at), hash);
            grow(&tree, hash, subtree);
        }
        forget(&reader, block, size);
    }
    if (tree.depth == 0) fail("an empty log");
    memcpy(hash, tree.roots[tree.depth - 1], HASH_BYTES);
    for (int index = tree.depth - 2; index >= 0; index--) {
        hash_node(tree.roots[index], hash, hash);
    }
    printf("%llu ", (unsigned long long)tree.size);
    for (int index = 0; index < HASH_BYTES; index++) printf("%02x", hash[index]);
    printf("\n");
    return 0;
}
