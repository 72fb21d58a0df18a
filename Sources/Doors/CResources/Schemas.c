// The JSON Schemas.

#include "Embedding.h"

static const unsigned char amendment_v1_schema_json[] = {
#embed "../../../Schemas/amendment.v1.schema.json"
};
static const unsigned char backup_v1_schema_json[] = {
#embed "../../../Schemas/backup.v1.schema.json"
};
static const unsigned char bundle_manifest_v1_schema_json[] = {
#embed "../../../Schemas/bundle-manifest.v1.schema.json"
};
static const unsigned char bundle_v1_schema_json[] = {
#embed "../../../Schemas/bundle.v1.schema.json"
};
static const unsigned char change_v1_schema_json[] = {
#embed "../../../Schemas/change.v1.schema.json"
};
static const unsigned char changes_v1_schema_json[] = {
#embed "../../../Schemas/changes.v1.schema.json"
};
static const unsigned char claim_v1_schema_json[] = {
#embed "../../../Schemas/claim.v1.schema.json"
};
static const unsigned char client_changes_v1_schema_json[] = {
#embed "../../../Schemas/client-changes.v1.schema.json"
};
static const unsigned char client_event_v1_schema_json[] = {
#embed "../../../Schemas/client-event.v1.schema.json"
};
static const unsigned char client_setting_v1_schema_json[] = {
#embed "../../../Schemas/client-setting.v1.schema.json"
};
static const unsigned char column_map_v1_schema_json[] = {
#embed "../../../Schemas/column-map.v1.schema.json"
};
static const unsigned char compaction_v1_schema_json[] = {
#embed "../../../Schemas/compaction.v1.schema.json"
};
static const unsigned char completeness_v1_schema_json[] = {
#embed "../../../Schemas/completeness.v1.schema.json"
};
static const unsigned char consistency_v1_schema_json[] = {
#embed "../../../Schemas/consistency.v1.schema.json"
};
static const unsigned char decision_v1_schema_json[] = {
#embed "../../../Schemas/decision.v1.schema.json"
};
static const unsigned char decisions_answer_v1_schema_json[] = {
#embed "../../../Schemas/decisions-answer.v1.schema.json"
};
static const unsigned char device_v1_schema_json[] = {
#embed "../../../Schemas/device.v1.schema.json"
};
static const unsigned char document_v1_schema_json[] = {
#embed "../../../Schemas/document.v1.schema.json"
};
static const unsigned char drop_v1_schema_json[] = {
#embed "../../../Schemas/drop.v1.schema.json"
};
static const unsigned char erased_items_v1_schema_json[] = {
#embed "../../../Schemas/erased-items.v1.schema.json"
};
static const unsigned char erasure_v1_schema_json[] = {
#embed "../../../Schemas/erasure.v1.schema.json"
};
static const unsigned char error_v1_schema_json[] = {
#embed "../../../Schemas/error.v1.schema.json"
};
static const unsigned char event_v1_schema_json[] = {
#embed "../../../Schemas/event.v1.schema.json"
};
static const unsigned char events_answer_v1_schema_json[] = {
#embed "../../../Schemas/events-answer.v1.schema.json"
};
static const unsigned char expense_v1_schema_json[] = {
#embed "../../../Schemas/expense.v1.schema.json"
};
static const unsigned char explanation_v1_schema_json[] = {
#embed "../../../Schemas/explanation.v1.schema.json"
};
static const unsigned char export_header_v1_schema_json[] = {
#embed "../../../Schemas/export-header.v1.schema.json"
};
static const unsigned char export_line_v1_schema_json[] = {
#embed "../../../Schemas/export-line.v1.schema.json"
};
static const unsigned char export_v1_schema_json[] = {
#embed "../../../Schemas/export.v1.schema.json"
};
static const unsigned char field_v1_schema_json[] = {
#embed "../../../Schemas/field.v1.schema.json"
};
static const unsigned char head_v1_schema_json[] = {
#embed "../../../Schemas/head.v1.schema.json"
};
static const unsigned char health_v1_schema_json[] = {
#embed "../../../Schemas/health.v1.schema.json"
};
static const unsigned char import_v1_schema_json[] = {
#embed "../../../Schemas/import.v1.schema.json"
};
static const unsigned char inbox_count_v1_schema_json[] = {
#embed "../../../Schemas/inbox-count.v1.schema.json"
};
static const unsigned char inference_v1_schema_json[] = {
#embed "../../../Schemas/inference.v1.schema.json"
};
static const unsigned char issued_report_v1_schema_json[] = {
#embed "../../../Schemas/issued-report.v1.schema.json"
};
static const unsigned char key_v1_schema_json[] = {
#embed "../../../Schemas/key.v1.schema.json"
};
static const unsigned char latest_cursor_v1_schema_json[] = {
#embed "../../../Schemas/latest-cursor.v1.schema.json"
};
static const unsigned char ledger_v1_schema_json[] = {
#embed "../../../Schemas/ledger.v1.schema.json"
};
static const unsigned char line_difference_v1_schema_json[] = {
#embed "../../../Schemas/line-difference.v1.schema.json"
};
static const unsigned char live_trip_v1_schema_json[] = {
#embed "../../../Schemas/live-trip.v1.schema.json"
};
static const unsigned char log_entry_v1_schema_json[] = {
#embed "../../../Schemas/log-entry.v1.schema.json"
};
static const unsigned char methods_v1_schema_json[] = {
#embed "../../../Schemas/methods.v1.schema.json"
};
static const unsigned char mileage_log_v1_schema_json[] = {
#embed "../../../Schemas/mileage-log.v1.schema.json"
};
static const unsigned char monthly_v1_schema_json[] = {
#embed "../../../Schemas/monthly.v1.schema.json"
};
static const unsigned char mqtt_settings_v1_schema_json[] = {
#embed "../../../Schemas/mqtt-settings.v1.schema.json"
};
static const unsigned char new_button_v1_schema_json[] = {
#embed "../../../Schemas/new-button.v1.schema.json"
};
static const unsigned char new_device_v1_schema_json[] = {
#embed "../../../Schemas/new-device.v1.schema.json"
};
static const unsigned char new_link_v1_schema_json[] = {
#embed "../../../Schemas/new-link.v1.schema.json"
};
static const unsigned char new_share_v1_schema_json[] = {
#embed "../../../Schemas/new-share.v1.schema.json"
};
static const unsigned char new_token_v1_schema_json[] = {
#embed "../../../Schemas/new-token.v1.schema.json"
};
static const unsigned char notification_v1_schema_json[] = {
#embed "../../../Schemas/notification.v1.schema.json"
};
static const unsigned char odometer_v1_schema_json[] = {
#embed "../../../Schemas/odometer.v1.schema.json"
};
static const unsigned char orphan_v1_schema_json[] = {
#embed "../../../Schemas/orphan.v1.schema.json"
};
static const unsigned char page_v1_schema_json[] = {
#embed "../../../Schemas/page.v1.schema.json"
};
static const unsigned char picture_v1_schema_json[] = {
#embed "../../../Schemas/picture.v1.schema.json"
};
static const unsigned char place_v1_schema_json[] = {
#embed "../../../Schemas/place.v1.schema.json"
};
static const unsigned char posted_decisions_v1_schema_json[] = {
#embed "../../../Schemas/posted-decisions.v1.schema.json"
};
static const unsigned char posted_events_v1_schema_json[] = {
#embed "../../../Schemas/posted-events.v1.schema.json"
};
static const unsigned char problem_v1_schema_json[] = {
#embed "../../../Schemas/problem.v1.schema.json"
};
static const unsigned char projection_v1_schema_json[] = {
#embed "../../../Schemas/projection.v1.schema.json"
};
static const unsigned char proof_v1_schema_json[] = {
#embed "../../../Schemas/proof.v1.schema.json"
};
static const unsigned char rate_check_v1_schema_json[] = {
#embed "../../../Schemas/rate-check.v1.schema.json"
};
static const unsigned char rate_table_v1_schema_json[] = {
#embed "../../../Schemas/rate-table.v1.schema.json"
};
static const unsigned char rate_v1_schema_json[] = {
#embed "../../../Schemas/rate.v1.schema.json"
};
static const unsigned char receipt_v1_schema_json[] = {
#embed "../../../Schemas/receipt.v1.schema.json"
};
static const unsigned char reconciliation_v1_schema_json[] = {
#embed "../../../Schemas/reconciliation.v1.schema.json"
};
static const unsigned char refused_item_v1_schema_json[] = {
#embed "../../../Schemas/refused-item.v1.schema.json"
};
static const unsigned char report_changes_v1_schema_json[] = {
#embed "../../../Schemas/report-changes.v1.schema.json"
};
static const unsigned char report_form_v1_schema_json[] = {
#embed "../../../Schemas/report-form.v1.schema.json"
};
static const unsigned char report_request_v1_schema_json[] = {
#embed "../../../Schemas/report-request.v1.schema.json"
};
static const unsigned char rescue_v1_schema_json[] = {
#embed "../../../Schemas/rescue.v1.schema.json"
};
static const unsigned char restored_v1_schema_json[] = {
#embed "../../../Schemas/restored.v1.schema.json"
};
static const unsigned char retried_item_v1_schema_json[] = {
#embed "../../../Schemas/retried-item.v1.schema.json"
};
static const unsigned char roads_v1_schema_json[] = {
#embed "../../../Schemas/roads.v1.schema.json"
};
static const unsigned char routine_v1_schema_json[] = {
#embed "../../../Schemas/routine.v1.schema.json"
};
static const unsigned char rules_v1_schema_json[] = {
#embed "../../../Schemas/rules.v1.schema.json"
};
static const unsigned char safekeeping_v1_schema_json[] = {
#embed "../../../Schemas/safekeeping.v1.schema.json"
};
static const unsigned char scenario_v1_schema_json[] = {
#embed "../../../Schemas/scenario.v1.schema.json"
};
static const unsigned char schema_v1_schema_json[] = {
#embed "../../../Schemas/schema.v1.schema.json"
};
static const unsigned char serving_v1_schema_json[] = {
#embed "../../../Schemas/serving.v1.schema.json"
};
static const unsigned char setting_v1_schema_json[] = {
#embed "../../../Schemas/setting.v1.schema.json"
};
static const unsigned char status_v1_schema_json[] = {
#embed "../../../Schemas/status.v1.schema.json"
};
static const unsigned char suggestion_v1_schema_json[] = {
#embed "../../../Schemas/suggestion.v1.schema.json"
};
static const unsigned char summary_v1_schema_json[] = {
#embed "../../../Schemas/summary.v1.schema.json"
};
static const unsigned char sync_greeting_v1_schema_json[] = {
#embed "../../../Schemas/sync-greeting.v1.schema.json"
};
static const unsigned char sync_page_v1_schema_json[] = {
#embed "../../../Schemas/sync-page.v1.schema.json"
};
static const unsigned char sync_v1_schema_json[] = {
#embed "../../../Schemas/sync.v1.schema.json"
};
static const unsigned char token_meaning_v1_schema_json[] = {
#embed "../../../Schemas/token-meaning.v1.schema.json"
};
static const unsigned char token_v1_schema_json[] = {
#embed "../../../Schemas/token.v1.schema.json"
};
static const unsigned char totals_v1_schema_json[] = {
#embed "../../../Schemas/totals.v1.schema.json"
};
static const unsigned char track_v1_schema_json[] = {
#embed "../../../Schemas/track.v1.schema.json"
};
static const unsigned char trip_line_v1_schema_json[] = {
#embed "../../../Schemas/trip-line.v1.schema.json"
};
static const unsigned char trip_options_v1_schema_json[] = {
#embed "../../../Schemas/trip-options.v1.schema.json"
};
static const unsigned char trip_proof_v1_schema_json[] = {
#embed "../../../Schemas/trip-proof.v1.schema.json"
};
static const unsigned char trip_v1_schema_json[] = {
#embed "../../../Schemas/trip.v1.schema.json"
};
static const unsigned char unnamed_stop_v1_schema_json[] = {
#embed "../../../Schemas/unnamed-stop.v1.schema.json"
};
static const unsigned char vehicle_v1_schema_json[] = {
#embed "../../../Schemas/vehicle.v1.schema.json"
};
static const unsigned char verification_v1_schema_json[] = {
#embed "../../../Schemas/verification.v1.schema.json"
};
static const unsigned char view_difference_v1_schema_json[] = {
#embed "../../../Schemas/view-difference.v1.schema.json"
};
static const unsigned char visit_v1_schema_json[] = {
#embed "../../../Schemas/visit.v1.schema.json"
};
static const unsigned char waiting_trip_v1_schema_json[] = {
#embed "../../../Schemas/waiting-trip.v1.schema.json"
};
static const unsigned char webhook_answer_v1_schema_json[] = {
#embed "../../../Schemas/webhook-answer.v1.schema.json"
};
static const unsigned char witness_v1_schema_json[] = {
#embed "../../../Schemas/witness.v1.schema.json"
};
static const unsigned char year_summary_v1_schema_json[] = {
#embed "../../../Schemas/year-summary.v1.schema.json"
};

static const struct ledger_file files[] = {
    FILE_OF("amendment.v1.schema.json", amendment_v1_schema_json),
    FILE_OF("backup.v1.schema.json", backup_v1_schema_json),
    FILE_OF("bundle-manifest.v1.schema.json", bundle_manifest_v1_schema_json),
    FILE_OF("bundle.v1.schema.json", bundle_v1_schema_json),
    FILE_OF("change.v1.schema.json", change_v1_schema_json),
    FILE_OF("changes.v1.schema.json", changes_v1_schema_json),
    FILE_OF("claim.v1.schema.json", claim_v1_schema_json),
    FILE_OF("client-changes.v1.schema.json", client_changes_v1_schema_json),
    FILE_OF("client-event.v1.schema.json", client_event_v1_schema_json),
    FILE_OF("client-setting.v1.schema.json", client_setting_v1_schema_json),
    FILE_OF("column-map.v1.schema.json", column_map_v1_schema_json),
    FILE_OF("compaction.v1.schema.json", compaction_v1_schema_json),
    FILE_OF("completeness.v1.schema.json", completeness_v1_schema_json),
    FILE_OF("consistency.v1.schema.json", consistency_v1_schema_json),
    FILE_OF("decision.v1.schema.json", decision_v1_schema_json),
    FILE_OF("decisions-answer.v1.schema.json", decisions_answer_v1_schema_json),
    FILE_OF("device.v1.schema.json", device_v1_schema_json),
    FILE_OF("document.v1.schema.json", document_v1_schema_json),
    FILE_OF("drop.v1.schema.json", drop_v1_schema_json),
    FILE_OF("erased-items.v1.schema.json", erased_items_v1_schema_json),
    FILE_OF("erasure.v1.schema.json", erasure_v1_schema_json),
    FILE_OF("error.v1.schema.json", error_v1_schema_json),
    FILE_OF("event.v1.schema.json", event_v1_schema_json),
    FILE_OF("events-answer.v1.schema.json", events_answer_v1_schema_json),
    FILE_OF("expense.v1.schema.json", expense_v1_schema_json),
    FILE_OF("explanation.v1.schema.json", explanation_v1_schema_json),
    FILE_OF("export-header.v1.schema.json", export_header_v1_schema_json),
    FILE_OF("export-line.v1.schema.json", export_line_v1_schema_json),
    FILE_OF("export.v1.schema.json", export_v1_schema_json),
    FILE_OF("field.v1.schema.json", field_v1_schema_json),
    FILE_OF("head.v1.schema.json", head_v1_schema_json),
    FILE_OF("health.v1.schema.json", health_v1_schema_json),
    FILE_OF("import.v1.schema.json", import_v1_schema_json),
    FILE_OF("inbox-count.v1.schema.json", inbox_count_v1_schema_json),
    FILE_OF("inference.v1.schema.json", inference_v1_schema_json),
    FILE_OF("issued-report.v1.schema.json", issued_report_v1_schema_json),
    FILE_OF("key.v1.schema.json", key_v1_schema_json),
    FILE_OF("latest-cursor.v1.schema.json", latest_cursor_v1_schema_json),
    FILE_OF("ledger.v1.schema.json", ledger_v1_schema_json),
    FILE_OF("line-difference.v1.schema.json", line_difference_v1_schema_json),
    FILE_OF("live-trip.v1.schema.json", live_trip_v1_schema_json),
    FILE_OF("log-entry.v1.schema.json", log_entry_v1_schema_json),
    FILE_OF("methods.v1.schema.json", methods_v1_schema_json),
    FILE_OF("mileage-log.v1.schema.json", mileage_log_v1_schema_json),
    FILE_OF("monthly.v1.schema.json", monthly_v1_schema_json),
    FILE_OF("mqtt-settings.v1.schema.json", mqtt_settings_v1_schema_json),
    FILE_OF("new-button.v1.schema.json", new_button_v1_schema_json),
    FILE_OF("new-device.v1.schema.json", new_device_v1_schema_json),
    FILE_OF("new-link.v1.schema.json", new_link_v1_schema_json),
    FILE_OF("new-share.v1.schema.json", new_share_v1_schema_json),
    FILE_OF("new-token.v1.schema.json", new_token_v1_schema_json),
    FILE_OF("notification.v1.schema.json", notification_v1_schema_json),
    FILE_OF("odometer.v1.schema.json", odometer_v1_schema_json),
    FILE_OF("orphan.v1.schema.json", orphan_v1_schema_json),
    FILE_OF("page.v1.schema.json", page_v1_schema_json),
    FILE_OF("picture.v1.schema.json", picture_v1_schema_json),
    FILE_OF("place.v1.schema.json", place_v1_schema_json),
    FILE_OF("posted-decisions.v1.schema.json", posted_decisions_v1_schema_json),
    FILE_OF("posted-events.v1.schema.json", posted_events_v1_schema_json),
    FILE_OF("problem.v1.schema.json", problem_v1_schema_json),
    FILE_OF("projection.v1.schema.json", projection_v1_schema_json),
    FILE_OF("proof.v1.schema.json", proof_v1_schema_json),
    FILE_OF("rate-check.v1.schema.json", rate_check_v1_schema_json),
    FILE_OF("rate-table.v1.schema.json", rate_table_v1_schema_json),
    FILE_OF("rate.v1.schema.json", rate_v1_schema_json),
    FILE_OF("receipt.v1.schema.json", receipt_v1_schema_json),
    FILE_OF("reconciliation.v1.schema.json", reconciliation_v1_schema_json),
    FILE_OF("refused-item.v1.schema.json", refused_item_v1_schema_json),
    FILE_OF("report-changes.v1.schema.json", report_changes_v1_schema_json),
    FILE_OF("report-form.v1.schema.json", report_form_v1_schema_json),
    FILE_OF("report-request.v1.schema.json", report_request_v1_schema_json),
    FILE_OF("rescue.v1.schema.json", rescue_v1_schema_json),
    FILE_OF("restored.v1.schema.json", restored_v1_schema_json),
    FILE_OF("retried-item.v1.schema.json", retried_item_v1_schema_json),
    FILE_OF("roads.v1.schema.json", roads_v1_schema_json),
    FILE_OF("routine.v1.schema.json", routine_v1_schema_json),
    FILE_OF("rules.v1.schema.json", rules_v1_schema_json),
    FILE_OF("safekeeping.v1.schema.json", safekeeping_v1_schema_json),
    FILE_OF("scenario.v1.schema.json", scenario_v1_schema_json),
    FILE_OF("schema.v1.schema.json", schema_v1_schema_json),
    FILE_OF("serving.v1.schema.json", serving_v1_schema_json),
    FILE_OF("setting.v1.schema.json", setting_v1_schema_json),
    FILE_OF("status.v1.schema.json", status_v1_schema_json),
    FILE_OF("suggestion.v1.schema.json", suggestion_v1_schema_json),
    FILE_OF("summary.v1.schema.json", summary_v1_schema_json),
    FILE_OF("sync-greeting.v1.schema.json", sync_greeting_v1_schema_json),
    FILE_OF("sync-page.v1.schema.json", sync_page_v1_schema_json),
    FILE_OF("sync.v1.schema.json", sync_v1_schema_json),
    FILE_OF("token-meaning.v1.schema.json", token_meaning_v1_schema_json),
    FILE_OF("token.v1.schema.json", token_v1_schema_json),
    FILE_OF("totals.v1.schema.json", totals_v1_schema_json),
    FILE_OF("track.v1.schema.json", track_v1_schema_json),
    FILE_OF("trip-line.v1.schema.json", trip_line_v1_schema_json),
    FILE_OF("trip-options.v1.schema.json", trip_options_v1_schema_json),
    FILE_OF("trip-proof.v1.schema.json", trip_proof_v1_schema_json),
    FILE_OF("trip.v1.schema.json", trip_v1_schema_json),
    FILE_OF("unnamed-stop.v1.schema.json", unnamed_stop_v1_schema_json),
    FILE_OF("vehicle.v1.schema.json", vehicle_v1_schema_json),
    FILE_OF("verification.v1.schema.json", verification_v1_schema_json),
    FILE_OF("view-difference.v1.schema.json", view_difference_v1_schema_json),
    FILE_OF("visit.v1.schema.json", visit_v1_schema_json),
    FILE_OF("waiting-trip.v1.schema.json", waiting_trip_v1_schema_json),
    FILE_OF("webhook-answer.v1.schema.json", webhook_answer_v1_schema_json),
    FILE_OF("witness.v1.schema.json", witness_v1_schema_json),
    FILE_OF("year-summary.v1.schema.json", year_summary_v1_schema_json),
};

struct ledger_folder ledger_schemas(void) {
    return FOLDER_OF(files);
}
