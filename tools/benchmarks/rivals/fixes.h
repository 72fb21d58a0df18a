// The fixes that every rival appends: a car that drives on, one fix a second.
#ifndef FIXES_H
#define FIXES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Also in Sources/AppendByBatch and in the rivals in Python.
#define FIRST_FIX_AT INT64_C(1420070400000)

typedef struct {
    int64_t occurred_at;
    int32_t latitude, longitude, altitude;
    uint16_t accuracy, speed, course;
} fix_numbers;

static inline fix_numbers fix_at(uint64_t index) {
    int32_t step = (int32_t)(index % 100000);
    return (fix_numbers){
        .occurred_at = FIRST_FIX_AT + 1000 * ((int64_t)index + 1),
        .latitude = 519000000 + 1100 * step,
        .longitude = 44000000 + 1300 * step,
        .altitude = (int32_t)(index % 500),
        .accuracy = (uint16_t)(30 + index % 90),
        .speed = (uint16_t)(1000 + index % 1500),
        .course = (uint16_t)(index * 7 % 36000),
    };
}

// Writes what an entry says of a fix: a narrow one.
static inline void write_payload(uint8_t *payload, const fix_numbers *fix) {
    memcpy(payload, &fix->latitude, 4);
    memcpy(payload + 4, &fix->longitude, 4);
    memcpy(payload + 8, &fix->altitude, 3);
    memcpy(payload + 11, &fix->accuracy, 2);
    memcpy(payload + 13, &fix->speed, 2);
    memcpy(payload + 15, &fix->course, 2);
    payload[17] = 1;
}

// The entry as a blob, for stores that are given no more than that: no nonce, no hash.
enum { BLOB_BYTES = 44 };

static inline void write_blob(uint8_t *blob, uint64_t index) {
    fix_numbers fix = fix_at(index);
    memset(blob, 0, BLOB_BYTES);
    blob[0] = BLOB_BYTES, blob[1] = 0x10, blob[2] = 0x10, blob[3] = 1;
    memcpy(blob + 6, &fix.occurred_at, 6);
    memcpy(blob + 12, &fix.occurred_at, 6);
    write_payload(blob + 26, &fix);
}

static inline uint64_t number_argument(const char *text) { return strtoull(text, NULL, 10); }

#endif
