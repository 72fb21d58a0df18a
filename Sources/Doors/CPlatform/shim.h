#pragma once
// Functions of the C library that it shows neither to Swift nor to programs without _GNU_SOURCE,
// which a module cannot define.
#include <sys/random.h>

int renameat2(int, const char *, int, const char *, unsigned int);
int syncfs(int);

// Their first argument is a posix_spawn_file_actions_t: <spawn.h> in this module would make its
// types, and those of signals, this module's.
int posix_spawn_file_actions_addchdir_np(void *, const char *);
int posix_spawn_file_actions_addclosefrom_np(void *, int);
