// Each file of the page becomes a constant: the program needs no files beside it.

#include "CPage.h"

// `#embed` is of C23, and known to the clang of the Swift toolchain in all modes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char page_css[] = {
#embed "page/page.css"
};
static const unsigned char app_js[] = {
#embed "page/app.js"
};

// Leaflet is not ours: tools/setup --all puts it there. Without it there is no map, and no error.
#if __has_embed("leaflet/leaflet.js") == __STDC_EMBED_FOUND__
#define HAS_LEAFLET 1
static const unsigned char leaflet_js[] = {
#embed "leaflet/leaflet.js"
};
static const unsigned char leaflet_css[] = {
#embed "leaflet/leaflet.css"
};
#endif

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} files[] = {
    {"index.html", index_html, sizeof index_html},
    {"page.css", page_css, sizeof page_css},
    {"app.js", app_js, sizeof app_js},
#if HAS_LEAFLET
    {"leaflet/leaflet.js", leaflet_js, sizeof leaflet_js},
    {"leaflet/leaflet.css", leaflet_css, sizeof leaflet_css},
#endif
};

const size_t ledger_page_file_count = sizeof files / sizeof files[0];

const char *ledger_page_name(size_t number) {
    return files[number].name;
}

const unsigned char *ledger_page_bytes(size_t number) {
    return files[number].bytes;
}

size_t ledger_page_size(size_t number) {
    return files[number].size;
}
