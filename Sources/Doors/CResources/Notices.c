// What programs are linked with; tools/package makes the file.

#include "Embedding.h"

static const unsigned char notice[] = {
#embed "../../../tools/package/NOTICE"
};

static const struct ledger_file files[] = {
    FILE_OF("NOTICE", notice),
};

struct ledger_folder ledger_notices(void) {
    return FOLDER_OF(files);
}
