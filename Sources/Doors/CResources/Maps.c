// The background of maps, and the script that moves them.

#include "Embedding.h"

static const unsigned char land_bin[] = {
#embed "../../Faces/Maps/Background/land.bin"
};
static const unsigned char map_js[] = {
#embed "../../Faces/Maps/map.js"
};

static const struct ledger_file files[] = {
    FILE_OF("land.bin", land_bin),
    FILE_OF("map.js", map_js),
};

struct ledger_folder ledger_maps(void) {
    return FOLDER_OF(files);
}
