import RowFormats

extension Schema {
    /// The forms of what `ledger serve` takes and answers, in the order in which they are listed.
    static let ofRequests = [
        Schema(
            "serving",
            "Whether requests are taken: GET /health of `ledger serve`.",
            PackageResources.serving_v1_schema_json
        ),
        Schema(
            "posted-events",
            "Several events in a request: POST /v1/events.",
            PackageResources.posted_events_v1_schema_json
        ),
        Schema(
            "events-answer",
            "What became of them.",
            PackageResources.events_answer_v1_schema_json
        ),
        Schema(
            "sync",
            "What an exchange of events with another ledger came to: `ledger sync`.",
            PackageResources.sync_v1_schema_json
        ),
        Schema(
            "sync-greeting",
            "What a ledger says of itself to another one: GET /v1/sync.",
            PackageResources.sync_greeting_v1_schema_json
        ),
        Schema(
            "sync-page",
            "The last line of events between ledgers: GET and POST /v1/sync/events.",
            PackageResources.sync_page_v1_schema_json
        ),
        Schema(
            "page",
            "Some rows of a list: GET /v1/trips and other lists.",
            PackageResources.page_v1_schema_json
        ),
        Schema(
            "trip-line",
            "The way of a trip as a line: GET /v1/trips/ID/track.",
            PackageResources.trip_line_v1_schema_json
        ),
        Schema(
            "change",
            "A row that changed: an item of GET /v1/changes.",
            PackageResources.change_v1_schema_json
        ),
        Schema(
            "latest-cursor",
            "The cursor of a reader who knows all rows: GET /v1/changes/latest-cursor.",
            PackageResources.latest_cursor_v1_schema_json
        ),
        Schema(
            "trip-proof",
            "A line of the proof of a trip: GET /v1/trips/ID/proof.",
            PackageResources.trip_proof_v1_schema_json
        ),
        Schema(
            "report-form",
            "A report that can be asked for: GET /v1/reports.",
            PackageResources.report_form_v1_schema_json
        ),
        Schema(
            "inbox-count",
            "How many trips need a class or a purpose: GET /v1/inbox/count.",
            PackageResources.inbox_count_v1_schema_json
        ),
        Schema(
            "device",
            "A device that has delivered: GET /v1/devices.",
            PackageResources.device_v1_schema_json
        ),
        Schema(
            "new-device",
            "A token that was made for a device, with its link and code: POST /v1/devices.",
            PackageResources.new_device_v1_schema_json,
            NewDevice.columns.descriptions
        ),
        Schema(
            "new-share",
            "A link that was made for one trip: POST /v1/shares.",
            PackageResources.new_share_v1_schema_json
        ),
        Schema(
            "live-trip",
            "What the link of a trip shows: GET /live/LINK/stream.",
            PackageResources.live_trip_v1_schema_json
        ),
        Schema(
            "webhook-answer",
            "What an app without a clock is answered: /webhook/ping and others.",
            PackageResources.webhook_answer_v1_schema_json
        ),
        Schema(
            "client-event",
            "A trip as the feed client reads it: GET /api/v1/events and others.",
            PackageResources.client_event_v1_schema_json
        ),
        Schema(
            "client-setting",
            "A routine, place or field as it reads it: GET /api/v1/geofences and others.",
            PackageResources.client_setting_v1_schema_json
        ),
        Schema(
            "client-changes",
            "What changed, as it reads it: GET /api/v1/changes.",
            PackageResources.client_changes_v1_schema_json
        ),
        Schema(
            "problem",
            "Why a request was not done: the answers with 400 and above.",
            PackageResources.problem_v1_schema_json
        ),
    ]
}
