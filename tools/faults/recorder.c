// Records what a process writes to a ledger, in order, for tools/faults/power-cut: preloaded with
// LD_PRELOAD, it appends one record for each write and each flush to the file LEDGER_TRACE.
//
// A record is a line of text, then the bytes that were written: `kind offset length path\n`. Kinds:
// W a write that the system may keep in memory, D one that is durable when it returns (O_DSYNC),
// S a flush of a file, T the truncation to a size (the offset), A an answer on standard output.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);

static int trace(void) {
    static int descriptor = -2;
    if (descriptor == -2) {
        const char *path = getenv("LEDGER_TRACE");
        descriptor = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    }
    return descriptor;
}

static void put(const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = real_write(trace(), bytes, length);
        if (count < 0) abort();
        bytes += count;
        length -= (size_t)count;
    }
}

// Appends one record; `parts` are what was written, up to `length` bytes of it.
static void record(char kind, int file, off_t offset, const struct iovec *parts, int count,
                   size_t length) {
    char link[64], path[PATH_MAX];
    int saved = errno;
    if (!real_write) real_write = dlsym(RTLD_NEXT, "write");
    if (trace() < 0) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t end = kind == 'A' ? 0 : readlink(link, path, sizeof path - 1);
    if (end < 0) end = 0;
    path[end] = 0;
    pthread_mutex_lock(&lock);
    char line[PATH_MAX + 64];
    int written = snprintf(line, sizeof line, "%c %lld %zu %s\n", kind, (long long)offset, length,
                           path);
    put(line, (size_t)written);
    for (int i = 0; i < count && length > 0; i++) {
        size_t size = parts[i].iov_len < length ? parts[i].iov_len : length;
        put(parts[i].iov_base, size);
        length -= size;
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
}

static char kind_of(int file) {
    int flags = fcntl(file, F_GETFL);
    return flags >= 0 && (flags & (O_DSYNC | O_SYNC)) ? 'D' : 'W';
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    ssize_t count = real(file, bytes, length, offset);
    struct iovec part = {(void *)bytes, length};
    if (count > 0) record(kind_of(file), file, offset, &part, 1, (size_t)count);
    return count;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite64(file, bytes, length, offset);
}

ssize_t pwritev(int file, const struct iovec *parts, int parts_count, off_t offset) {
    static ssize_t (*real)(int, const struct iovec *, int, off_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwritev");
    ssize_t count = real(file, parts, parts_count, offset);
    if (count > 0) record(kind_of(file), file, offset, parts, parts_count, (size_t)count);
    return count;
}

ssize_t writev(int file, const struct iovec *parts, int parts_count) {
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real) real = dlsym(RTLD_NEXT, "writev");
    off_t offset = lseek(file, 0, SEEK_CUR);
    ssize_t count = real(file, parts, parts_count);
    if (count > 0 && offset >= 0) {
        record(kind_of(file), file, offset, parts, parts_count, (size_t)count);
    }
    return count;
}

ssize_t write(int file, const void *bytes, size_t length) {
    if (!real_write) real_write = dlsym(RTLD_NEXT, "write");
    off_t offset = file == STDOUT_FILENO ? 0 : lseek(file, 0, SEEK_CUR);
    // What the caller can read was acknowledged: noted before it can act on it.
    struct iovec part = {(void *)bytes, length};
    if (file == STDOUT_FILENO) record('A', file, 0, &part, 1, length);
    ssize_t count = real_write(file, bytes, length);
    if (file != STDOUT_FILENO && count > 0 && offset >= 0 && file != trace()) {
        record(kind_of(file), file, offset, &part, 1, (size_t)count);
    }
    return count;
}

int fdatasync(int file) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    int result = real(file);
    if (result == 0) record('S', file, 0, NULL, 0, 0);
    return result;
}

int fsync(int file) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    int result = real(file);
    if (result == 0) record('S', file, 0, NULL, 0, 0);
    return result;
}

int ftruncate64(int file, off64_t size) {
    static int (*real)(int, off64_t);
    if (!real) real = dlsym(RTLD_NEXT, "ftruncate64");
    int result = real(file, size);
    if (result == 0) record('T', file, size, NULL, 0, 0);
    return result;
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }
