// The SQL of the replica.

#include "Embedding.h"

static const unsigned char replica_sql[] = {
#embed "../../Programs/LedgerReplicate/replica.sql"
};
static const unsigned char rows_sql[] = {
#embed "../../Programs/LedgerReplicate/rows.sql"
};

static const struct ledger_file files[] = {
    FILE_OF("replica.sql", replica_sql),
    FILE_OF("rows.sql", rows_sql),
};

struct ledger_folder ledger_replica(void) {
    return FOLDER_OF(files);
}
