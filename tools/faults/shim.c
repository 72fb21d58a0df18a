// Stands between the ledger and its disk and clock, for tools/faults/run: preloaded with
// LD_PRELOAD.
//
// LEDGER_SHIM says what happens to the log's data file: `drop:N` forgets the Nth write and says
// that it was done, `flip:N:B` flips bit B of what the Nth write writes, `short:N` writes half of
// it and says so, each in the process that LEDGER_SHIM_CALLER started. LEDGER_SHIM_SECONDS is added
// to the time of day in all processes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char kind;
static unsigned long target, bit;

__attribute__((constructor)) static void configure(void) {
    const char *caller = getenv("LEDGER_SHIM_CALLER"), *fault = getenv("LEDGER_SHIM");
    char name[8];
    if (!caller || !fault || getppid() != atoi(caller)) return;
    if (sscanf(fault, "%7[a-z]:%lu:%lu", name, &target, &bit) < 2) abort();
    kind = name[0];
}

static int is_log(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t end = readlink(link, path, sizeof path - 1);
    path[end < 0 ? 0 : end] = 0;
    return end > 0 && strstr(path, "/log/data.mdb") != NULL;
}

// Returns whether this write of the log is the one that goes wrong.
static int is_next(int file) {
    static unsigned long count;
    return kind && is_log(file) && ++count == target;
}

static ssize_t whole(int file, const char *bytes, size_t length, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    return real(file, bytes, length, offset);
}

// Does the write that goes wrong.
static ssize_t wrong(int file, char *bytes, size_t length, off64_t offset) {
    if (kind == 'd') return (ssize_t)length;
    if (kind == 's') return whole(file, bytes, length > 1 ? length / 2 : length, offset);
    bytes[bit / 8 % length] ^= (char)(1 << bit % 8);
    return whole(file, bytes, length, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    if (!is_next(file)) return whole(file, bytes, length, offset);
    char *copy = malloc(length);
    if (!copy) abort();
    memcpy(copy, bytes, length);
    ssize_t count = wrong(file, copy, length, offset);
    free(copy);
    return count;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite64(file, bytes, length, offset);
}

static ssize_t gathered(int file, const struct iovec *parts, int parts_count, off64_t offset) {
    size_t length = 0;
    for (int i = 0; i < parts_count; i++) length += parts[i].iov_len;
    char *copy = malloc(length), *end = copy;
    if (!copy) abort();
    for (int i = 0; i < parts_count; i++) {
        memcpy(end, parts[i].iov_base, parts[i].iov_len);
        end += parts[i].iov_len;
    }
    ssize_t count = wrong(file, copy, length, offset);
    free(copy);
    return count;
}

ssize_t pwritev(int file, const struct iovec *parts, int parts_count, off_t offset) {
    static ssize_t (*real)(int, const struct iovec *, int, off_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwritev");
    if (is_next(file)) return gathered(file, parts, parts_count, offset);
    return real(file, parts, parts_count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int parts_count) {
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real) real = dlsym(RTLD_NEXT, "writev");
    if (!is_next(file)) return real(file, parts, parts_count);
    ssize_t count = gathered(file, parts, parts_count, lseek(file, 0, SEEK_CUR));
    if (count > 0) lseek(file, count, SEEK_CUR);
    return count;
}

static time_t shift(void) {
    const char *seconds = getenv("LEDGER_SHIM_SECONDS");
    return seconds ? (time_t)atoll(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *instant) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, instant);
    if (result == 0 && clock == CLOCK_REALTIME) instant->tv_sec += shift();
    return result;
}

int gettimeofday(struct timeval *instant, void *zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
    int result = real(instant, zone);
    if (result == 0) instant->tv_sec += shift();
    return result;
}
