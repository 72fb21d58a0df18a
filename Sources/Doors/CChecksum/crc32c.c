#include "CChecksum.h"

#include <string.h>

#define POLYNOMIAL 0x82F63B78u

static uint32_t portable(uint32_t crc, const uint8_t *p, size_t n) {
    for (; n > 0; n--) {
        crc ^= *p++;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ (POLYNOMIAL & (0u - (crc & 1u)));
        }
    }
    return crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t hardware(
    uint32_t crc, const uint8_t *p, size_t n) {
    uint64_t wide = crc;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    for (; n > 0; n--) {
        crc = _mm_crc32_u8(crc, *p++);
    }
    return crc;
}
#endif

uint32_t cchecksum_crc32c(uint32_t checksum, const void *bytes, size_t length) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) {
        return ~hardware(~checksum, bytes, length);
    }
#endif
    return ~portable(~checksum, bytes, length);
}
