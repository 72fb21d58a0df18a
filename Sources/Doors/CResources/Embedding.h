// How a file of C lists what it embeds.

#include "CResources.h"

// `#embed` is of C23, and known to the clang of the Swift toolchain in all modes.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

#define FOLDER_OF(files) ((struct ledger_folder){files, sizeof files / sizeof files[0]})
