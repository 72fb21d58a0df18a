#pragma once
#include <zlib.h>

// A macro with arguments, which Swift does not see.
static inline int ledger_inflateInit2(z_streamp stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}
