// The files of the web page.

#include "Embedding.h"

static const unsigned char access_js[] = {
#embed "../../Programs/LedgerServer/Page/web/access.js"
};
static const unsigned char add_js[] = {
#embed "../../Programs/LedgerServer/Page/web/add.js"
};
static const unsigned char always_js[] = {
#embed "../../Programs/LedgerServer/Page/web/always.js"
};
static const unsigned char api_js[] = {
#embed "../../Programs/LedgerServer/Page/web/api.js"
};
static const unsigned char app_js[] = {
#embed "../../Programs/LedgerServer/Page/web/app.js"
};
static const unsigned char ask_js[] = {
#embed "../../Programs/LedgerServer/Page/web/ask.js"
};
static const unsigned char bulk_js[] = {
#embed "../../Programs/LedgerServer/Page/web/bulk.js"
};
static const unsigned char buttonsetup_js[] = {
#embed "../../Programs/LedgerServer/Page/web/buttonsetup.js"
};
static const unsigned char byhand_js[] = {
#embed "../../Programs/LedgerServer/Page/web/byhand.js"
};
static const unsigned char byrule_js[] = {
#embed "../../Programs/LedgerServer/Page/web/byrule.js"
};
static const unsigned char calendar_js[] = {
#embed "../../Programs/LedgerServer/Page/web/calendar.js"
};
static const unsigned char changes_js[] = {
#embed "../../Programs/LedgerServer/Page/web/changes.js"
};
static const unsigned char chart_js[] = {
#embed "../../Programs/LedgerServer/Page/web/chart.js"
};
static const unsigned char classes_js[] = {
#embed "../../Programs/LedgerServer/Page/web/classes.js"
};
static const unsigned char corrections_js[] = {
#embed "../../Programs/LedgerServer/Page/web/corrections.js"
};
static const unsigned char day_js[] = {
#embed "../../Programs/LedgerServer/Page/web/day.js"
};
static const unsigned char decisions_js[] = {
#embed "../../Programs/LedgerServer/Page/web/decisions.js"
};
static const unsigned char details_js[] = {
#embed "../../Programs/LedgerServer/Page/web/details.js"
};
static const unsigned char devices_js[] = {
#embed "../../Programs/LedgerServer/Page/web/devices.js"
};
static const unsigned char devicesetup_js[] = {
#embed "../../Programs/LedgerServer/Page/web/devicesetup.js"
};
static const unsigned char direction_js[] = {
#embed "../../Programs/LedgerServer/Page/web/direction.js"
};
static const unsigned char dom_js[] = {
#embed "../../Programs/LedgerServer/Page/web/dom.js"
};
static const unsigned char dropfile_js[] = {
#embed "../../Programs/LedgerServer/Page/web/dropfile.js"
};
static const unsigned char dropmap_js[] = {
#embed "../../Programs/LedgerServer/Page/web/dropmap.js"
};
static const unsigned char dropzone_js[] = {
#embed "../../Programs/LedgerServer/Page/web/dropzone.js"
};
static const unsigned char entryproof_js[] = {
#embed "../../Programs/LedgerServer/Page/web/entryproof.js"
};
static const unsigned char evidence_js[] = {
#embed "../../Programs/LedgerServer/Page/web/evidence.js"
};
static const unsigned char expenses_js[] = {
#embed "../../Programs/LedgerServer/Page/web/expenses.js"
};
static const unsigned char exports_js[] = {
#embed "../../Programs/LedgerServer/Page/web/exports.js"
};
static const unsigned char failures_js[] = {
#embed "../../Programs/LedgerServer/Page/web/failures.js"
};
static const unsigned char finder_js[] = {
#embed "../../Programs/LedgerServer/Page/web/finder.js"
};
static const unsigned char follower_js[] = {
#embed "../../Programs/LedgerServer/Page/web/follower.js"
};
static const unsigned char formats_js[] = {
#embed "../../Programs/LedgerServer/Page/web/formats.js"
};
static const unsigned char gosources_js[] = {
#embed "../../Programs/LedgerServer/Page/web/gosources.js"
};
static const unsigned char ground_js[] = {
#embed "../../Programs/LedgerServer/Page/web/ground.js"
};
static const unsigned char handout_js[] = {
#embed "../../Programs/LedgerServer/Page/web/handout.js"
};
static const unsigned char heat_js[] = {
#embed "../../Programs/LedgerServer/Page/web/heat.js"
};
static const unsigned char home_js[] = {
#embed "../../Programs/LedgerServer/Page/web/home.js"
};
static const unsigned char icon_svg[] = {
#embed "../../Programs/LedgerServer/Page/web/icon.svg"
};
static const unsigned char icons_js[] = {
#embed "../../Programs/LedgerServer/Page/web/icons.js"
};
static const unsigned char inbox_js[] = {
#embed "../../Programs/LedgerServer/Page/web/inbox.js"
};
static const unsigned char inboxdecisions_js[] = {
#embed "../../Programs/LedgerServer/Page/web/inboxdecisions.js"
};
static const unsigned char inboxgroups_js[] = {
#embed "../../Programs/LedgerServer/Page/web/inboxgroups.js"
};
static const unsigned char inboxpurposes_js[] = {
#embed "../../Programs/LedgerServer/Page/web/inboxpurposes.js"
};
static const unsigned char index_html[] = {
#embed "../../Programs/LedgerServer/Page/web/index.html"
};
static const unsigned char keepfile_js[] = {
#embed "../../Programs/LedgerServer/Page/web/keepfile.js"
};
static const unsigned char listreport_js[] = {
#embed "../../Programs/LedgerServer/Page/web/listreport.js"
};
static const unsigned char live_trip_css[] = {
#embed "../../Programs/LedgerServer/Page/web/live-trip.css"
};
static const unsigned char live_trip_html[] = {
#embed "../../Programs/LedgerServer/Page/web/live-trip.html"
};
static const unsigned char live_trip_js[] = {
#embed "../../Programs/LedgerServer/Page/web/live-trip.js"
};
static const unsigned char live_js[] = {
#embed "../../Programs/LedgerServer/Page/web/live.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "../../Programs/LedgerServer/Page/web/manifest.webmanifest"
};
static const unsigned char map_js[] = {
#embed "../../Programs/LedgerServer/Page/web/map.js"
};
static const unsigned char nameplace_js[] = {
#embed "../../Programs/LedgerServer/Page/web/nameplace.js"
};
static const unsigned char nextlink_js[] = {
#embed "../../Programs/LedgerServer/Page/web/nextlink.js"
};
static const unsigned char nomap_js[] = {
#embed "../../Programs/LedgerServer/Page/web/nomap.js"
};
static const unsigned char notices_js[] = {
#embed "../../Programs/LedgerServer/Page/web/notices.js"
};
static const unsigned char now_js[] = {
#embed "../../Programs/LedgerServer/Page/web/now.js"
};
static const unsigned char offline_js[] = {
#embed "../../Programs/LedgerServer/Page/web/offline.js"
};
static const unsigned char page_css[] = {
#embed "../../Programs/LedgerServer/Page/web/page.css"
};
static const unsigned char pageparts_js[] = {
#embed "../../Programs/LedgerServer/Page/web/pageparts.js"
};
static const unsigned char picture_js[] = {
#embed "../../Programs/LedgerServer/Page/web/picture.js"
};
static const unsigned char placeform_js[] = {
#embed "../../Programs/LedgerServer/Page/web/placeform.js"
};
static const unsigned char places_js[] = {
#embed "../../Programs/LedgerServer/Page/web/places.js"
};
static const unsigned char proof_js[] = {
#embed "../../Programs/LedgerServer/Page/web/proof.js"
};
static const unsigned char rates_js[] = {
#embed "../../Programs/LedgerServer/Page/web/rates.js"
};
static const unsigned char record_describe_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/describe.js"
};
static const unsigned char record_drive_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/drive.js"
};
static const unsigned char record_facts_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/facts.js"
};
static const unsigned char record_icon_192_png[] = {
#embed "../../Programs/LedgerServer/Page/web/record/icon-192.png"
};
static const unsigned char record_icon_512_png[] = {
#embed "../../Programs/LedgerServer/Page/web/record/icon-512.png"
};
static const unsigned char record_manifest_webmanifest[] = {
#embed "../../Programs/LedgerServer/Page/web/record/manifest.webmanifest"
};
static const unsigned char record_parts_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/parts.js"
};
static const unsigned char record_queue_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/queue.js"
};
static const unsigned char record_record_css[] = {
#embed "../../Programs/LedgerServer/Page/web/record/record.css"
};
static const unsigned char record_record_html[] = {
#embed "../../Programs/LedgerServer/Page/web/record/record.html"
};
static const unsigned char record_record_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/record.js"
};
static const unsigned char record_recorder_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/recorder.js"
};
static const unsigned char record_sender_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/sender.js"
};
static const unsigned char record_sketch_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/sketch.js"
};
static const unsigned char record_store_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/store.js"
};
static const unsigned char record_texts_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/texts.js"
};
static const unsigned char record_texts_de_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/texts/de.js"
};
static const unsigned char record_texts_en_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/texts/en.js"
};
static const unsigned char record_texts_fr_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/texts/fr.js"
};
static const unsigned char record_texts_nl_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/texts/nl.js"
};
static const unsigned char record_turn_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/turn.js"
};
static const unsigned char record_watch_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/watch.js"
};
static const unsigned char record_worker_js[] = {
#embed "../../Programs/LedgerServer/Page/web/record/worker.js"
};
static const unsigned char replay_js[] = {
#embed "../../Programs/LedgerServer/Page/web/replay.js"
};
static const unsigned char report_link_css[] = {
#embed "../../Programs/LedgerServer/Page/web/report-link.css"
};
static const unsigned char report_link_html[] = {
#embed "../../Programs/LedgerServer/Page/web/report-link.html"
};
static const unsigned char report_link_js[] = {
#embed "../../Programs/LedgerServer/Page/web/report-link.js"
};
static const unsigned char reports_js[] = {
#embed "../../Programs/LedgerServer/Page/web/reports.js"
};
static const unsigned char roads_js[] = {
#embed "../../Programs/LedgerServer/Page/web/roads.js"
};
static const unsigned char savedfilters_js[] = {
#embed "../../Programs/LedgerServer/Page/web/savedfilters.js"
};
static const unsigned char seal_js[] = {
#embed "../../Programs/LedgerServer/Page/web/seal.js"
};
static const unsigned char secrets_js[] = {
#embed "../../Programs/LedgerServer/Page/web/secrets.js"
};
static const unsigned char settings_js[] = {
#embed "../../Programs/LedgerServer/Page/web/settings.js"
};
static const unsigned char settingspart_js[] = {
#embed "../../Programs/LedgerServer/Page/web/settingspart.js"
};
static const unsigned char share_js[] = {
#embed "../../Programs/LedgerServer/Page/web/share.js"
};
static const unsigned char signatures_js[] = {
#embed "../../Programs/LedgerServer/Page/web/signatures.js"
};
static const unsigned char speeds_js[] = {
#embed "../../Programs/LedgerServer/Page/web/speeds.js"
};
static const unsigned char stops_js[] = {
#embed "../../Programs/LedgerServer/Page/web/stops.js"
};
static const unsigned char suggestions_js[] = {
#embed "../../Programs/LedgerServer/Page/web/suggestions.js"
};
static const unsigned char swipe_js[] = {
#embed "../../Programs/LedgerServer/Page/web/swipe.js"
};
static const unsigned char texts_js[] = {
#embed "../../Programs/LedgerServer/Page/web/texts.js"
};
static const unsigned char texts_de_js[] = {
#embed "../../Programs/LedgerServer/Page/web/texts/de.js"
};
static const unsigned char texts_en_js[] = {
#embed "../../Programs/LedgerServer/Page/web/texts/en.js"
};
static const unsigned char texts_fr_js[] = {
#embed "../../Programs/LedgerServer/Page/web/texts/fr.js"
};
static const unsigned char texts_nl_js[] = {
#embed "../../Programs/LedgerServer/Page/web/texts/nl.js"
};
static const unsigned char texts_words_js[] = {
#embed "../../Programs/LedgerServer/Page/web/texts/words.js"
};
static const unsigned char theme_js[] = {
#embed "../../Programs/LedgerServer/Page/web/theme.js"
};
static const unsigned char tiles_js[] = {
#embed "../../Programs/LedgerServer/Page/web/tiles.js"
};
static const unsigned char totals_js[] = {
#embed "../../Programs/LedgerServer/Page/web/totals.js"
};
static const unsigned char tree_js[] = {
#embed "../../Programs/LedgerServer/Page/web/tree.js"
};
static const unsigned char trip_js[] = {
#embed "../../Programs/LedgerServer/Page/web/trip.js"
};
static const unsigned char triplist_js[] = {
#embed "../../Programs/LedgerServer/Page/web/triplist.js"
};
static const unsigned char trips_js[] = {
#embed "../../Programs/LedgerServer/Page/web/trips.js"
};
static const unsigned char tripway_js[] = {
#embed "../../Programs/LedgerServer/Page/web/tripway.js"
};
static const unsigned char vehicles_js[] = {
#embed "../../Programs/LedgerServer/Page/web/vehicles.js"
};
static const unsigned char waiting_js[] = {
#embed "../../Programs/LedgerServer/Page/web/waiting.js"
};
static const unsigned char worker_js[] = {
#embed "../../Programs/LedgerServer/Page/web/worker.js"
};
static const unsigned char years_js[] = {
#embed "../../Programs/LedgerServer/Page/web/years.js"
};

// Leaflet is not ours: tools/leaflet puts it there. Without it the program is built all the same, and
// its views show everything but the map.
#if __has_embed("../../Programs/LedgerServer/Page/web/leaflet/leaflet.js") == __STDC_EMBED_FOUND__
#define HAS_LEAFLET 1
static const unsigned char leaflet_js[] = {
#embed "../../Programs/LedgerServer/Page/web/leaflet/leaflet.js"
};
static const unsigned char leaflet_css[] = {
#embed "../../Programs/LedgerServer/Page/web/leaflet/leaflet.css"
};
#endif

static const struct ledger_file files[] = {
    FILE_OF("access.js", access_js),
    FILE_OF("add.js", add_js),
    FILE_OF("always.js", always_js),
    FILE_OF("api.js", api_js),
    FILE_OF("app.js", app_js),
    FILE_OF("ask.js", ask_js),
    FILE_OF("bulk.js", bulk_js),
    FILE_OF("buttonsetup.js", buttonsetup_js),
    FILE_OF("byhand.js", byhand_js),
    FILE_OF("byrule.js", byrule_js),
    FILE_OF("calendar.js", calendar_js),
    FILE_OF("changes.js", changes_js),
    FILE_OF("chart.js", chart_js),
    FILE_OF("classes.js", classes_js),
    FILE_OF("corrections.js", corrections_js),
    FILE_OF("day.js", day_js),
    FILE_OF("decisions.js", decisions_js),
    FILE_OF("details.js", details_js),
    FILE_OF("devices.js", devices_js),
    FILE_OF("devicesetup.js", devicesetup_js),
    FILE_OF("direction.js", direction_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("dropfile.js", dropfile_js),
    FILE_OF("dropmap.js", dropmap_js),
    FILE_OF("dropzone.js", dropzone_js),
    FILE_OF("entryproof.js", entryproof_js),
    FILE_OF("evidence.js", evidence_js),
    FILE_OF("expenses.js", expenses_js),
    FILE_OF("exports.js", exports_js),
    FILE_OF("failures.js", failures_js),
    FILE_OF("finder.js", finder_js),
    FILE_OF("follower.js", follower_js),
    FILE_OF("formats.js", formats_js),
    FILE_OF("gosources.js", gosources_js),
    FILE_OF("ground.js", ground_js),
    FILE_OF("handout.js", handout_js),
    FILE_OF("heat.js", heat_js),
    FILE_OF("home.js", home_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("icons.js", icons_js),
    FILE_OF("inbox.js", inbox_js),
    FILE_OF("inboxdecisions.js", inboxdecisions_js),
    FILE_OF("inboxgroups.js", inboxgroups_js),
    FILE_OF("inboxpurposes.js", inboxpurposes_js),
    FILE_OF("index.html", index_html),
    FILE_OF("keepfile.js", keepfile_js),
    FILE_OF("listreport.js", listreport_js),
    FILE_OF("live-trip.css", live_trip_css),
    FILE_OF("live-trip.html", live_trip_html),
    FILE_OF("live-trip.js", live_trip_js),
    FILE_OF("live.js", live_js),
    FILE_OF("manifest.webmanifest", manifest_webmanifest),
    FILE_OF("map.js", map_js),
    FILE_OF("nameplace.js", nameplace_js),
    FILE_OF("nextlink.js", nextlink_js),
    FILE_OF("nomap.js", nomap_js),
    FILE_OF("notices.js", notices_js),
    FILE_OF("now.js", now_js),
    FILE_OF("offline.js", offline_js),
    FILE_OF("page.css", page_css),
    FILE_OF("pageparts.js", pageparts_js),
    FILE_OF("picture.js", picture_js),
    FILE_OF("placeform.js", placeform_js),
    FILE_OF("places.js", places_js),
    FILE_OF("proof.js", proof_js),
    FILE_OF("rates.js", rates_js),
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
    FILE_OF("record/sketch.js", record_sketch_js),
    FILE_OF("record/store.js", record_store_js),
    FILE_OF("record/texts.js", record_texts_js),
    FILE_OF("record/texts/de.js", record_texts_de_js),
    FILE_OF("record/texts/en.js", record_texts_en_js),
    FILE_OF("record/texts/fr.js", record_texts_fr_js),
    FILE_OF("record/texts/nl.js", record_texts_nl_js),
    FILE_OF("record/turn.js", record_turn_js),
    FILE_OF("record/watch.js", record_watch_js),
    FILE_OF("record/worker.js", record_worker_js),
    FILE_OF("replay.js", replay_js),
    FILE_OF("report-link.css", report_link_css),
    FILE_OF("report-link.html", report_link_html),
    FILE_OF("report-link.js", report_link_js),
    FILE_OF("reports.js", reports_js),
    FILE_OF("roads.js", roads_js),
    FILE_OF("savedfilters.js", savedfilters_js),
    FILE_OF("seal.js", seal_js),
    FILE_OF("secrets.js", secrets_js),
    FILE_OF("settings.js", settings_js),
    FILE_OF("settingspart.js", settingspart_js),
    FILE_OF("share.js", share_js),
    FILE_OF("signatures.js", signatures_js),
    FILE_OF("speeds.js", speeds_js),
    FILE_OF("stops.js", stops_js),
    FILE_OF("suggestions.js", suggestions_js),
    FILE_OF("swipe.js", swipe_js),
    FILE_OF("texts.js", texts_js),
    FILE_OF("texts/de.js", texts_de_js),
    FILE_OF("texts/en.js", texts_en_js),
    FILE_OF("texts/fr.js", texts_fr_js),
    FILE_OF("texts/nl.js", texts_nl_js),
    FILE_OF("texts/words.js", texts_words_js),
    FILE_OF("theme.js", theme_js),
    FILE_OF("tiles.js", tiles_js),
    FILE_OF("totals.js", totals_js),
    FILE_OF("tree.js", tree_js),
    FILE_OF("trip.js", trip_js),
    FILE_OF("triplist.js", triplist_js),
    FILE_OF("trips.js", trips_js),
    FILE_OF("tripway.js", tripway_js),
    FILE_OF("vehicles.js", vehicles_js),
    FILE_OF("waiting.js", waiting_js),
    FILE_OF("worker.js", worker_js),
    FILE_OF("years.js", years_js),
#if HAS_LEAFLET
    FILE_OF("leaflet/leaflet.css", leaflet_css),
    FILE_OF("leaflet/leaflet.js", leaflet_js),
#endif
};

struct ledger_folder ledger_page(void) {
    return FOLDER_OF(files);
}
