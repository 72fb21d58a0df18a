// Records what a process writes to a ledger, in order, for tools/faults/power-cut: preloaded with
// LD_PRELOAD, it appends one record for each write and each flush to the file LEDGER_TRACE.
//
// A record is a line of text, then the bytes that were written: `kind offset length path\n`. Kinds:
// W a write that the system may keep in memory, D one that is durable when it returns (O_DSYNC),
// S a flush of a file or directory, T the truncation to a size (the offset), A an answer on the
// standard output of a process that was called by hand; and for names, with the second path in place of bytes:
// N a new file, M a new directory, R a renaming, X an exchange, L a link, U and V a deletion.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);

static int (*real_openat)(int, const char *, int, ...);

static int trace(void) {
    static int descriptor = -2;
    if (descriptor == -2) {
        const char *path = getenv("LEDGER_TRACE");
        if (!real_openat) real_openat = dlsym(RTLD_NEXT, "openat");
        int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC;
        descriptor = path ? real_openat(AT_FDCWD, path, flags, 0600) : -1;
    }
    return descriptor;
}

// The processes that the ledger starts answer to it, not to its caller.
static int answers(void) {
    const char *caller = getenv("LEDGER_TRACE_CALLER");
    return caller && getppid() == atoi(caller);
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
static void note(char kind, const char *path, off_t offset, const struct iovec *parts, int count,
                 size_t length) {
    int saved = errno;
    if (!real_write) real_write = dlsym(RTLD_NEXT, "write");
    if (trace() < 0) return;
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

static void record(char kind, int file, off_t offset, const struct iovec *parts, int count,
                   size_t length) {
    char link[64], path[PATH_MAX];
    int saved = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t end = kind == 'A' ? 0 : readlink(link, path, sizeof path - 1);
    path[end < 0 ? 0 : end] = 0;
    note(kind, path, offset, parts, count, length);
    errno = saved;
}

static void record_name(char kind, const char *path, const char *other) {
    struct iovec part = {(void *)other, strlen(other)};
    note(kind, path, 0, &part, 1, part.iov_len);
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
    // Bytes that the caller can read count as acknowledged: they are noted before it can act on
    // them.
    struct iovec part = {(void *)bytes, length};
    if (file == STDOUT_FILENO && answers()) record('A', file, 0, &part, 1, length);
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

// Paths are whole ones: tools/faults/power-cut names everything from the root.
static int opened(int directory, const char *path, int flags, mode_t mode) {
    if (!real_openat) real_openat = dlsym(RTLD_NEXT, "openat");
    struct stat status;
    int is_new = (flags & O_CREAT) && fstatat(directory, path, &status, AT_SYMLINK_NOFOLLOW) != 0;
    int file = real_openat(directory, path, flags, mode);
    if (file >= 0 && is_new) record_name('N', path, "");
    if (file >= 0 && !is_new && (flags & O_TRUNC)) record('T', file, 0, NULL, 0, 0);
    return file;
}

#define OPENING(name, ...)                                    \
    int name(__VA_ARGS__, int flags, ...) {                   \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                         \
        return opened(DIRECTORY, path, flags, mode);          \
    }

#define DIRECTORY AT_FDCWD
OPENING(open, const char *path)
OPENING(open64, const char *path)
#undef DIRECTORY
#define DIRECTORY directory
OPENING(openat, int directory, const char *path)
OPENING(openat64, int directory, const char *path)

int mkdir(const char *path, mode_t mode) {
    static int (*real)(const char *, mode_t);
    if (!real) real = dlsym(RTLD_NEXT, "mkdir");
    int result = real(path, mode);
    if (result == 0) record_name('M', path, "");
    return result;
}

int rename(const char *path, const char *other) {
    static int (*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "rename");
    int result = real(path, other);
    if (result == 0) record_name('R', path, other);
    return result;
}

int renameat2(int from, const char *path, int to, const char *other, unsigned flags) {
    static int (*real)(int, const char *, int, const char *, unsigned);
    if (!real) real = dlsym(RTLD_NEXT, "renameat2");
    int result = real(from, path, to, other, flags);
    if (result == 0) record_name(flags & RENAME_EXCHANGE ? 'X' : 'R', path, other);
    return result;
}

int link(const char *path, const char *other) {
    static int (*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "link");
    int result = real(path, other);
    if (result == 0) record_name('L', path, other);
    return result;
}

int unlink(const char *path) {
    static int (*real)(const char *);
    if (!real) real = dlsym(RTLD_NEXT, "unlink");
    int result = real(path);
    if (result == 0) record_name('U', path, "");
    return result;
}

int rmdir(const char *path) {
    static int (*real)(const char *);
    if (!real) real = dlsym(RTLD_NEXT, "rmdir");
    int result = real(path);
    if (result == 0) record_name('V', path, "");
    return result;
}
