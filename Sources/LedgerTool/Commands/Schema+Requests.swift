import RowFormats

extension Schema {
    /// The forms of what `ledger serve` takes and answers, in the order in which they are listed.
    static let ofRequests = [
        Schema(
            "serving",
            "Whether requests are taken: GET /health of `ledger serve`."
        ),
        Schema(
            "posted-events",
            "Several events in a request: POST /v1/events."
        ),
        Schema(
            "events-answer",
            "What became of them."
        ),
        Schema(
            "decision",
            "What a person asks to be decided: POST /v1/decisions."
        ),
        Schema(
            "posted-decisions",
            "Several decisions in a request, all or none: POST /v1/decisions."
        ),
        Schema(
            "decisions-answer",
            "What became of them."
        ),
        Schema(
            "sync",
            "What an exchange of events with another ledger came to: `ledger sync`."
        ),
        Schema(
            "sync-greeting",
            "What a ledger says of itself to another one: GET /v1/sync."
        ),
        Schema(
            "sync-page",
            "The last line of events between ledgers: GET and POST /v1/sync/events."
        ),
        Schema(
            "page",
            "Some rows of a list: GET /v1/trips and other lists."
        ),
        Schema(
            "trip-line",
            "The way of a trip as a line: GET /v1/trips/ID/track."
        ),
        Schema(
            "change",
            "A row that changed: an item of GET /v1/changes."
        ),
        Schema(
            "latest-cursor",
            "The cursor of a reader who knows all rows: GET /v1/changes/latest-cursor."
        ),
        Schema(
            "trip-proof",
            "A line of the proof of a trip: GET /v1/trips/ID/proof."
        ),
        Schema(
            "report-form",
            "A report that can be asked for: GET /v1/reports."
        ),
        Schema(
            "inbox-count",
            "How many trips need a class or a purpose: GET /v1/inbox/count."
        ),
        Schema(
            "device",
            "A device that has delivered: GET /v1/devices."
        ),
        Schema(
            "new-device",
            "A token that was made for a device, with its link and code: POST /v1/devices.",
            NewDevice.columns.descriptions
        ),
        Schema(
            "new-share",
            "A link that was made for one trip: POST /v1/shares."
        ),
        Schema(
            "live-trip",
            "What the link of a trip shows: GET /live/LINK/stream."
        ),
        Schema(
            "webhook-answer",
            "What an app without a clock is answered: /webhook/ping and others."
        ),
        Schema(
            "client-event",
            "A trip as the feed client reads it: GET /api/v1/events and others."
        ),
        Schema(
            "client-setting",
            "A routine, place or field as it reads it: GET /api/v1/geofences and others."
        ),
        Schema(
            "client-changes",
            "What changed, as it reads it: GET /api/v1/changes."
        ),
        Schema(
            "problem",
            "Why a request was not done: the answers with 400 and above."
        ),
    ]
}
