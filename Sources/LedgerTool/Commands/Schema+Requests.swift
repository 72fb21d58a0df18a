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
            "problem",
            "Why a request was not done: the answers with 400 and above.",
            PackageResources.problem_v1_schema_json
        ),
    ]
}
