#pragma once
#include <lmdb.h>

// glibc shows it to programs that define _GNU_SOURCE only, which a module cannot.
int renameat2(int, const char *, int, const char *, unsigned int);
