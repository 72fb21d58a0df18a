#pragma once
#include <zlib.h>

// A macro with arguments, which Swift does not see.
static inline int ledger_inflateInit2(z_streamp stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

// Another one.
static inline int ledger_deflateInit2(z_streamp stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 9, Z_DEFAULT_STRATEGY);
}
