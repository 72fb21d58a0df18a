// The files of the web page, as they are in the program.

#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// How many files there are.
extern const size_t ledger_page_file_count;

/// Returns the name of a file, with the directory that it is in: a constant text.
const char *ledger_page_name(size_t number);

/// Returns the bytes of a file: constants too.
const unsigned char *ledger_page_bytes(size_t number);

/// Returns how many bytes a file has.
size_t ledger_page_size(size_t number);

#endif
