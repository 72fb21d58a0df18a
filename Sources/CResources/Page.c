// The files of the web page.

#include "Embedding.h"

static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char app_js[] = {
#embed "page/app.js"
};
static const unsigned char ask_js[] = {
#embed "page/ask.js"
};
static const unsigned char chart_js[] = {
#embed "page/chart.js"
};
static const unsigned char classes_js[] = {
#embed "page/classes.js"
};
static const unsigned char corrections_js[] = {
#embed "page/corrections.js"
};
static const unsigned char details_js[] = {
#embed "page/details.js"
};
static const unsigned char devices_js[] = {
#embed "page/devices.js"
};
static const unsigned char devicesetup_js[] = {
#embed "page/devicesetup.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char evidence_js[] = {
#embed "page/evidence.js"
};
static const unsigned char follower_js[] = {
#embed "page/follower.js"
};
static const unsigned char formats_js[] = {
#embed "page/formats.js"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char inbox_js[] = {
#embed "page/inbox.js"
};
static const unsigned char inboxdecisions_js[] = {
#embed "page/inboxdecisions.js"
};
static const unsigned char inboxgroups_js[] = {
#embed "page/inboxgroups.js"
};
static const unsigned char inboxpurposes_js[] = {
#embed "page/inboxpurposes.js"
};
static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char live_js[] = {
#embed "page/live.js"
};
static const unsigned char live_trip_css[] = {
#embed "page/live-trip.css"
};
static const unsigned char live_trip_html[] = {
#embed "page/live-trip.html"
};
static const unsigned char live_trip_js[] = {
#embed "page/live-trip.js"
};
static const unsigned char map_js[] = {
#embed "page/map.js"
};
static const unsigned char neighbours_js[] = {
#embed "page/neighbours.js"
};
static const unsigned char notices_js[] = {
#embed "page/notices.js"
};
static const unsigned char now_js[] = {
#embed "page/now.js"
};
static const unsigned char page_css[] = {
#embed "page/page.css"
};
static const unsigned char picture_js[] = {
#embed "page/picture.js"
};
static const unsigned char placeform_js[] = {
#embed "page/placeform.js"
};
static const unsigned char places_js[] = {
#embed "page/places.js"
};
static const unsigned char proof_js[] = {
#embed "page/proof.js"
};
static const unsigned char replay_js[] = {
#embed "page/replay.js"
};
static const unsigned char reports_js[] = {
#embed "page/reports.js"
};
static const unsigned char share_js[] = {
#embed "page/share.js"
};
static const unsigned char signatures_js[] = {
#embed "page/signatures.js"
};
static const unsigned char suggestions_js[] = {
#embed "page/suggestions.js"
};
static const unsigned char swipe_js[] = {
#embed "page/swipe.js"
};
static const unsigned char record_describe_js[] = {
#embed "page/record/describe.js"
};
static const unsigned char record_drive_js[] = {
#embed "page/record/drive.js"
};
static const unsigned char record_facts_js[] = {
#embed "page/record/facts.js"
};
static const unsigned char record_icon_192_png[] = {
#embed "page/record/icon-192.png"
};
static const unsigned char record_icon_512_png[] = {
#embed "page/record/icon-512.png"
};
static const unsigned char record_manifest_webmanifest[] = {
#embed "page/record/manifest.webmanifest"
};
static const unsigned char record_parts_js[] = {
#embed "page/record/parts.js"
};
static const unsigned char record_queue_js[] = {
#embed "page/record/queue.js"
};
static const unsigned char record_record_css[] = {
#embed "page/record/record.css"
};
static const unsigned char record_record_html[] = {
#embed "page/record/record.html"
};
static const unsigned char record_record_js[] = {
#embed "page/record/record.js"
};
static const unsigned char record_recorder_js[] = {
#embed "page/record/recorder.js"
};
static const unsigned char record_sender_js[] = {
#embed "page/record/sender.js"
};
static const unsigned char record_store_js[] = {
#embed "page/record/store.js"
};
static const unsigned char record_texts_js[] = {
#embed "page/record/texts.js"
};
static const unsigned char record_texts_de_js[] = {
#embed "page/record/texts/de.js"
};
static const unsigned char record_texts_en_js[] = {
#embed "page/record/texts/en.js"
};
static const unsigned char record_texts_fr_js[] = {
#embed "page/record/texts/fr.js"
};
static const unsigned char record_texts_nl_js[] = {
#embed "page/record/texts/nl.js"
};
static const unsigned char record_turn_js[] = {
#embed "page/record/turn.js"
};
static const unsigned char record_watch_js[] = {
#embed "page/record/watch.js"
};
static const unsigned char record_worker_js[] = {
#embed "page/record/worker.js"
};
static const unsigned char texts_js[] = {
#embed "page/texts.js"
};
static const unsigned char texts_de_js[] = {
#embed "page/texts/de.js"
};
static const unsigned char texts_en_js[] = {
#embed "page/texts/en.js"
};
static const unsigned char texts_fr_js[] = {
#embed "page/texts/fr.js"
};
static const unsigned char texts_nl_js[] = {
#embed "page/texts/nl.js"
};
static const unsigned char tiles_js[] = {
#embed "page/tiles.js"
};
static const unsigned char totals_js[] = {
#embed "page/totals.js"
};
static const unsigned char tree_js[] = {
#embed "page/tree.js"
};
static const unsigned char trip_js[] = {
#embed "page/trip.js"
};
static const unsigned char triplist_js[] = {
#embed "page/triplist.js"
};
static const unsigned char trips_js[] = {
#embed "page/trips.js"
};
static const unsigned char vehicles_js[] = {
#embed "page/vehicles.js"
};
static const unsigned char waiting_js[] = {
#embed "page/waiting.js"
};

// Leaflet is not ours: tools/leaflet puts it there. Without it the program is built all the same, but
// its views with maps do not work.
#if __has_embed("page/leaflet/leaflet.js") == __STDC_EMBED_FOUND__
#define HAS_LEAFLET 1
static const unsigned char leaflet_js[] = {
#embed "page/leaflet/leaflet.js"
};
static const unsigned char leaflet_css[] = {
#embed "page/leaflet/leaflet.css"
};
#endif

static const struct ledger_file files[] = {
    FILE_OF("api.js", api_js),
    FILE_OF("app.js", app_js),
    FILE_OF("ask.js", ask_js),
    FILE_OF("chart.js", chart_js),
    FILE_OF("classes.js", classes_js),
    FILE_OF("corrections.js", corrections_js),
    FILE_OF("details.js", details_js),
    FILE_OF("devices.js", devices_js),
    FILE_OF("devicesetup.js", devicesetup_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("evidence.js", evidence_js),
    FILE_OF("follower.js", follower_js),
    FILE_OF("formats.js", formats_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("inbox.js", inbox_js),
    FILE_OF("inboxdecisions.js", inboxdecisions_js),
    FILE_OF("inboxgroups.js", inboxgroups_js),
    FILE_OF("inboxpurposes.js", inboxpurposes_js),
    FILE_OF("index.html", index_html),
    FILE_OF("live.js", live_js),
    FILE_OF("live-trip.css", live_trip_css),
    FILE_OF("live-trip.html", live_trip_html),
    FILE_OF("live-trip.js", live_trip_js),
    FILE_OF("map.js", map_js),
    FILE_OF("neighbours.js", neighbours_js),
    FILE_OF("notices.js", notices_js),
    FILE_OF("now.js", now_js),
    FILE_OF("page.css", page_css),
    FILE_OF("picture.js", picture_js),
    FILE_OF("placeform.js", placeform_js),
    FILE_OF("places.js", places_js),
    FILE_OF("proof.js", proof_js),
    FILE_OF("replay.js", replay_js),
    FILE_OF("reports.js", reports_js),
    FILE_OF("share.js", share_js),
    FILE_OF("signatures.js", signatures_js),
    FILE_OF("suggestions.js", suggestions_js),
    FILE_OF("swipe.js", swipe_js),
    FILE_OF("record/describe.js", record_describe_js),
    FILE_OF("record/drive.js", record_drive_js),
    FILE_OF("record/facts.js", record_facts_js),
    FILE_OF("record/icon-192.png", record_icon_192_png),
    FILE_OF("record/icon-512.png", record_icon_512_png),
    FILE_OF("record/manifest.webmanifest", record_manifest_webmanifest),
    FILE_OF("record/parts.js", record_parts_js),
    FILE_OF("record/queue.js", record_queue_js),
    FILE_OF("record/record.css", record_record_css),
    FILE_OF("record/record.html", record_record_html),
    FILE_OF("record/record.js", record_record_js),
    FILE_OF("record/recorder.js", record_recorder_js),
    FILE_OF("record/sender.js", record_sender_js),
    FILE_OF("record/store.js", record_store_js),
    FILE_OF("record/texts.js", record_texts_js),
    FILE_OF("record/texts/de.js", record_texts_de_js),
    FILE_OF("record/texts/en.js", record_texts_en_js),
    FILE_OF("record/texts/fr.js", record_texts_fr_js),
    FILE_OF("record/texts/nl.js", record_texts_nl_js),
    FILE_OF("record/turn.js", record_turn_js),
    FILE_OF("record/watch.js", record_watch_js),
    FILE_OF("record/worker.js", record_worker_js),
    FILE_OF("texts.js", texts_js),
    FILE_OF("texts/de.js", texts_de_js),
    FILE_OF("texts/en.js", texts_en_js),
    FILE_OF("texts/fr.js", texts_fr_js),
    FILE_OF("texts/nl.js", texts_nl_js),
    FILE_OF("tiles.js", tiles_js),
    FILE_OF("totals.js", totals_js),
    FILE_OF("tree.js", tree_js),
    FILE_OF("trip.js", trip_js),
    FILE_OF("triplist.js", triplist_js),
    FILE_OF("trips.js", trips_js),
    FILE_OF("vehicles.js", vehicles_js),
    FILE_OF("waiting.js", waiting_js),
#if HAS_LEAFLET
    FILE_OF("leaflet/leaflet.js", leaflet_js),
    FILE_OF("leaflet/leaflet.css", leaflet_css),
#endif
};

struct ledger_folder ledger_page(void) {
    return FOLDER_OF(files);
}
