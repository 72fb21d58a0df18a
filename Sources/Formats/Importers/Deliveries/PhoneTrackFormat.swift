import TripEvents

/// What PhoneTrack delivers at once: lists of latitude, longitude, seconds since 1970, altitude,
/// accuracy, battery, satellites, program, speed in metres per second and course.
///
/// Source: github.com/julien-nc/phonetrack, `logPostMultiple`. What is not known is null.
struct PhoneTrackFormat: ObjectFormat {
    static let lists: Set<String> = ["points"]

    private let options: ImportOptions

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let values: [JSONObjectIndex.Value]
        do throws(JSONSyntaxError) {
            guard text.count > 0, text[0] == UInt8(ascii: "[") else {
                throw JSONLexer.unexpected(text, at: 0, expected: "'['")
            }
            values = try JSONObjectIndex.elements(text, at: 0)
        } catch {
            throw Rejection(error)
        }
        func number(_ index: Int) -> Range<Int>? {
            guard index < values.count, values[index].kind != .null,
                !values[index].range.isEmpty
            else { return nil }
            return values[index].range
        }
        guard let moment = number(2) else { throw .missingField("timestamp") }
        var fix = batch.begin(
            .fixRecorded,
            of: options.source ?? "phonetrack",
            at: try OsmAndQueries.time(text, moment, zone: options.zone)
        )
        batch.add("lat", required: number(0), of: text, to: &fix)
        batch.add("lon", required: number(1), of: text, to: &fix)
        batch.add("accuracy", known: number(4), of: text, to: &fix)
        batch.add("altitude", optional: number(3), of: text, to: &fix)
        batch.add("speed", known: number(8), of: text, to: &fix)
        batch.add("course", known: number(9), of: text, to: &fix)
        batch.end(fix, record: record)
    }
}
