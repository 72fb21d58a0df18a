import TripEvents

/// What Colota delivers by its own names, or by its template for OwnTracks' servers.
///
/// Source: github.com/dietrichmax/colota. Speeds are in metres per second in either, which is why
/// it has a door of its own.
struct ColotaFormat: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true

    private let options: ImportOptions
    private var point = JSONRecord()

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try point.read(text)
        if let type = point.text("_type", text), type != "location" {
            return batch.ignore(type, record: record)
        }
        guard let seconds = point.decimal("tst", text) else { throw .missingField("tst") }
        var fix = batch.begin(
            .fixRecorded,
            of: options.source ?? "colota",
            at: try TimeText.seconds(seconds, in: "tst")
        )
        batch.add("lat", required: point.number("lat", text), of: text, to: &fix)
        batch.add("lon", required: point.number("lon", text), of: text, to: &fix)
        batch.add("accuracy", known: point.reading("acc", text), of: text, to: &fix)
        batch.add("altitude", optional: point.reading("alt", text), of: text, to: &fix)
        batch.add("speed", known: point.reading("vel", text), of: text, to: &fix)
        batch.add("course", known: point.firstReading(["bear", "cog"], text), of: text, to: &fix)
        batch.end(fix, record: record)
    }
}
