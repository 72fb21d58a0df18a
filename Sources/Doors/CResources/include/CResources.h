// Files that are part of the programs, as constants by C's #embed. Each folder is an object file of its
// own, so that a program is linked with those alone that it asks for.

#ifndef CRESOURCES_H
#define CRESOURCES_H

#include <stddef.h>

/// A file: constants, for as long as the program runs.
struct ledger_file {
    /// Its name, with the directory of its folder that it is in.
    const char *name;

    /// The content.
    const unsigned char *bytes;

    /// How many bytes that are.
    size_t size;
};

/// Files that belong together.
struct ledger_folder {
    const struct ledger_file *files;
    size_t count;
};

/// Returns the files of the web page.
struct ledger_folder ledger_page(void);

/// Returns the JSON Schemas.
struct ledger_folder ledger_schemas(void);

/// Returns the tables of rates per distance, one for each country.
struct ledger_folder ledger_rate_tables(void);

/// Returns what programs are linked with, and under which licences.
struct ledger_folder ledger_notices(void);

/// Returns the SQL of the replica.
struct ledger_folder ledger_replica(void);

/// Returns what stands behind maps, and the script that moves them.
struct ledger_folder ledger_maps(void);

#endif
