// The same fold as `ledger project --rebuild`, in C: reads a ledger's log, checks every block,
// derives the trips, and stores views of its own in a directory that is empty.
//
//     fold_log LEDGER/log VIEWS [--trips]
#include "fold.h"

int main(int count, char **arguments) {
    if (count < 3) fail("usage: fold_log LEDGER/log VIEWS [--trips]");
    begin_fold(arguments[2], count > 3);
    block_reader reader = read_blocks(arguments[1]);
    size_t size;
    const uint8_t *block;
    while ((block = next_block(&reader, &size))) {
        size_t length;
        for (size_t at = HEADER_BYTES; at < size; at += length) {
            length = entry_bytes(block + at);
            take_entry(block + at, length);
        }
        forget(&reader, block, size);
    }
    finish_fold();
    return 0;
}
