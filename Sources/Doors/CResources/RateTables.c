// Rates per distance, a table for each country.

#include "Embedding.h"

static const unsigned char at_json[] = {
#embed "../../Ledger/Rates/Tables/at.json"
};
static const unsigned char au_json[] = {
#embed "../../Ledger/Rates/Tables/au.json"
};
static const unsigned char ca_json[] = {
#embed "../../Ledger/Rates/Tables/ca.json"
};
static const unsigned char de_json[] = {
#embed "../../Ledger/Rates/Tables/de.json"
};
static const unsigned char fr_json[] = {
#embed "../../Ledger/Rates/Tables/fr.json"
};
static const unsigned char gb_json[] = {
#embed "../../Ledger/Rates/Tables/gb.json"
};
static const unsigned char nl_json[] = {
#embed "../../Ledger/Rates/Tables/nl.json"
};
static const unsigned char us_json[] = {
#embed "../../Ledger/Rates/Tables/us.json"
};

static const struct ledger_file files[] = {
    FILE_OF("at.json", at_json),
    FILE_OF("au.json", au_json),
    FILE_OF("ca.json", ca_json),
    FILE_OF("de.json", de_json),
    FILE_OF("fr.json", fr_json),
    FILE_OF("gb.json", gb_json),
    FILE_OF("nl.json", nl_json),
    FILE_OF("us.json", us_json),
};

struct ledger_folder ledger_rate_tables(void) {
    return FOLDER_OF(files);
}
