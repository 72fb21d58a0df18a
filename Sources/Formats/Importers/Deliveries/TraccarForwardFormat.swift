import TripEvents

/// What Traccar's server forwards: a position of its own beside the device that it is of.
///
/// Source: github.com/traccar/traccar, `PositionForwarderJson`.
struct TraccarForwardFormat: ObjectFormat {
    static let lists: Set<String> = [""]
    static let hasSingleRecords = true

    private let options: ImportOptions
    private var message = JSONRecord()
    private var device = JSONRecord()

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(
        _ text: Span<UInt8>,
        of list: String,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        try message.read(text)
        guard let position = message.value("position", text), position.kind == .object else {
            throw .missingField("position")
        }
        var options = options
        options.source = try source(text)
        var positions = TraccarFormat(options)
        let inner = text.extracting(position.range)
        try positions.take(inner, of: list, record: record, into: &batch)
    }

    /// Returns the source for a device: the only one, or of several the one with the device's name.
    private mutating func source(_ text: Span<UInt8>) throws(Rejection) -> String {
        let sources = options.delivery?.sources ?? []
        guard sources.count > 1 else { return sources.first ?? "traccar" }
        guard let value = message.value("device", text), value.kind == .object else {
            throw .missingField("device")
        }
        try device.read(text, value)
        guard let name = device.text("uniqueId", text) else { throw .missingField("uniqueId") }
        guard sources.contains(name) else {
            throw Rejection(
                .invalidValue,
                field: "uniqueId",
                sentence: "uniqueId is \(Excerpt.escaped(name)), which is no source of the token."
            )
        }
        return name
    }
}
