#pragma once
// What the C library has and shows neither to Swift nor to programs without _GNU_SOURCE, which a
// module cannot define.
#include <sys/random.h>

int renameat2(int, const char *, int, const char *, unsigned int);
