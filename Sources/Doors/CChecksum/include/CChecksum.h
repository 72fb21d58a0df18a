#pragma once
#include <stddef.h>
#include <stdint.h>

/// CRC32C (Castagnoli, reflected polynomial 0x82F63B78), as in RFC 3720 §12.1, of bytes whose
/// CRC32C is `checksum`, 0 for none, and of the `length` bytes that follow them.
uint32_t cchecksum_crc32c(uint32_t checksum, const void *bytes, size_t length);
