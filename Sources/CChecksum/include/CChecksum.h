#pragma once
#include <stddef.h>
#include <stdint.h>

/// CRC32C (Castagnoli, reflected polynomial 0x82F63B78) of `length` bytes, as in RFC 3720 §12.1.
uint32_t cchecksum_crc32c(const void *bytes, size_t length);
