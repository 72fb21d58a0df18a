public import TripEvents

/// The result of reading a piece of an input: lines of events as `ledger append` takes them, and
/// the outcome of everything else.
///
/// The caller that takes the items empties the batch, so that its memory is that of one piece.
public struct ImportBatch: Sendable {
    /// The outcome of something that the input holds.
    public enum Outcome: Hashable, Sendable {
        /// It is an event, whose line of JSON is the item's.
        case event

        /// It is no acceptable event; what it says is the item's.
        case rejected(Rejection)

        /// It is something that a ledger has no use for, of a kind that the format names.
        case ignored(kind: String)
    }

    /// One thing that the input holds.
    public struct Item: Hashable, Sendable {
        /// The record that it stands in, from 1: a line where the format has lines, else an
        /// element, a point or a sentence.
        public let record: Int

        /// The outcome.
        public let outcome: Outcome

        /// Its bytes: see ``Outcome``.
        public let range: Range<Int>
    }

    /// Fixes of one source that follow one another without a jump in their times.
    public struct Run: Sendable {
        /// The source.
        public let source: String

        /// The first and the last of their times.
        public private(set) var times: ClosedRange<Timestamp>

        /// How many there are.
        public private(set) var count = 1

        private let first: Timestamp
        private var last: Timestamp

        /// The most milliseconds between neighbours: a little less than the 1,024 weeks after which
        /// receivers begin to count anew.
        private static let mostBetween: Int64 = 1_000 * 7 * Timestamp.millisecondsPerDay

        /// Begins with one fix.
        fileprivate init(of source: String, at time: Timestamp) {
            self.source = source
            times = time...time
            first = time
            last = time
        }

        /// Adds the fixes of the same source that come next, unless there is a jump between them.
        ///
        /// - Returns: Whether they were added.
        public mutating func join(_ next: Run) -> Bool {
            guard abs(next.first.milliseconds(since: last)) <= Self.mostBetween else {
                return false
            }
            let start = min(times.lowerBound, next.times.lowerBound)
            times = start...max(times.upperBound, next.times.upperBound)
            count += next.count
            last = next.last
            return true
        }
    }

    /// A row of a table whose trip or expense is equal to that of an earlier row, so that it counts
    /// once.
    public struct EqualRow: Hashable, Sendable {
        /// The record that it stands in.
        public let record: Int

        /// The record of the first one.
        public let earlier: Int

        /// A column in which they differ: its name in quotes, or its number; `nil` if there is
        /// none.
        public let column: String?

        /// The kind of what is not used, under which it is counted.
        public static let kind = "equal_row"
    }

    /// The bytes that items refer to.
    public private(set) var bytes: [UInt8] = []

    /// The items of the input, in its order.
    public private(set) var items: [Item] = []

    /// The number of events in which an optional member could not be read, by the member's name.
    public private(set) var unread: [String: Int] = [:]

    /// How many fixes are at 0°, 0°, which receivers write when they know no position.
    public private(set) var nullCoordinates = 0

    /// How many amounts trips say were paid on them, by the currency that stands there: a sign such
    /// as `$`, three letters, or nothing.
    public private(set) var payments: [String: Int] = [:]

    /// The rows that are equal to earlier ones.
    public private(set) var equalRows: [EqualRow] = []

    /// The first and the last time of the events that were written; `nil` if none was.
    public private(set) var times: ClosedRange<Timestamp>?

    /// The fixes that were written, in runs.
    public private(set) var runs: [Run] = []

    /// The fixes of one instant, so that two that differ are told apart.
    private var instant = Instant()

    /// Whether it is what an app delivers, bit by bit.
    ///
    /// Then a rejected text is there as a whole, to be set aside. And fixes of one instant have no
    /// numbers: which of them came together is chance, so a fix that comes again would get another
    /// number.
    private let isDelivery: Bool

    /// What a delivery says last of the motion of each source.
    package private(set) var heard: [NameKey: HeardMotion] = [:]

    /// Creates an empty batch.
    public init() {
        isDelivery = false
    }

    /// Creates an empty batch for what an app delivers.
    init(ofDelivery: Void) {
        isDelivery = true
    }

    /// Forgets all items and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        if !unread.isEmpty { unread = [:] }
        nullCoordinates = 0
        times = nil
        runs.removeAll(keepingCapacity: true)
        if !payments.isEmpty { payments = [:] }
        equalRows.removeAll(keepingCapacity: true)
    }

    /// Notes that a trip says what was paid on it.
    mutating func note(_ payment: PaidAmount) {
        payments[payment.currency, default: 0] += 1
    }

    /// Removes the rejections: the early end of a stream is reported separately.
    package mutating func removeRejections() {
        items.removeAll { if case .rejected = $0.outcome { true } else { false } }
    }

    /// Adds an event as its sender wrote it.
    mutating func add(_ line: Span<UInt8>, record: Int) {
        let start = bytes.count
        bytes.append(contentsOf: line)
        items.append(Item(record: record, outcome: .event, range: start..<bytes.count))
    }

    /// Notes something that is no acceptable event.
    mutating func reject(
        _ rejection: Rejection,
        record: Int,
        _ text: Span<UInt8>,
        _ range: Range<Int>
    ) {
        let start = bytes.count
        bytes.append(contentsOf: text.extracting(range.prefix(excerptByteCount)))
        items.append(
            Item(record: record, outcome: .rejected(rejection), range: start..<bytes.count)
        )
    }

    /// Notes something that is no acceptable event and has no text to show.
    mutating func reject(_ rejection: Rejection, record: Int) {
        items.append(
            Item(record: record, outcome: .rejected(rejection), range: bytes.count..<bytes.count)
        )
    }

    /// Keeps a record of a delivery as it was sent, for the events of it that were rejected.
    ///
    /// - Parameters:
    ///   - text: The text in which the record is.
    ///   - range: Its place.
    ///   - first: The first item of it.
    mutating func keep(_ text: Span<UInt8>, _ range: Range<Int>, forItemsFrom first: Int) {
        guard isDelivery else { return }
        var kept: Range<Int>?
        for index in first..<items.count {
            let item = items[index]
            guard case .rejected = item.outcome, item.range.isEmpty else { continue }
            let start = bytes.count
            if kept == nil { bytes.append(contentsOf: text.extracting(range)) }
            let whole = kept ?? start..<bytes.count
            kept = whole
            items[index] = Item(record: item.record, outcome: item.outcome, range: whole)
        }
    }

    /// Notes something that a ledger has no use for, of kind `other` where the input names none.
    mutating func ignore(_ kind: String, record: Int) {
        items.append(
            Item(
                record: record,
                outcome: .ignored(kind: kind.isEmpty ? "other" : kind),
                range: bytes.count..<bytes.count
            )
        )
    }

    /// Takes the items of a row out that is equal to an earlier one.
    mutating func setAside(_ row: EqualRow, items range: Range<Int>) {
        items.removeSubrange(range)
        ignore(EqualRow.kind, record: row.record)
        equalRows.append(row)
    }

    /// Notes what a delivery says of motion, whether or not it becomes an event.
    mutating func hear(_ motion: HeardMotion, of source: String) {
        let key = NameKey(source)
        guard isDelivery, heard[key].map({ $0.at <= motion.at }) ?? true else { return }
        heard[key] = motion
    }

    /// The most bytes of rejected text that are shown.
    private var excerptByteCount: Int { isDelivery ? .max : 320 }
}

// MARK: - Writing events

extension ImportBatch {
    /// An event that is being written.
    ///
    /// An error while it is written is kept, so that callers only need to ask at its end.
    struct Draft {
        /// Where its line begins.
        fileprivate let start: Int

        /// Where its content begins.
        fileprivate let content: Int

        fileprivate let source: String
        fileprivate let time: PreciseTime
        fileprivate let type: String

        /// The reason to reject it; `nil` if there is none.
        var rejection: Rejection?

        /// Optional members that could not be read, with what was written there.
        fileprivate var unread: [(name: String, written: String)] = []

        /// Further notes about it, in members that its type does not have.
        fileprivate var notes: [(name: String, text: String)] = []

        /// Whether it gets a number if it is another fix of the same instant; it may have one where
        /// senders name their events.
        var isNumbered = true
    }

    /// Begins the line of an event.
    mutating func begin(_ type: EventKind, of source: String, at time: PreciseTime) -> Draft {
        begin(type.name, of: source, at: time)
    }

    /// Begins the line of an event whose type, that another program wrote, may be unknown.
    mutating func begin(_ type: String, of source: String, at time: PreciseTime) -> Draft {
        let start = bytes.count
        bytes.append(contentsOf: #"{"type":"#.utf8)
        JSONWriter.append(type, to: &bytes)
        bytes.append(contentsOf: #","source":"#.utf8)
        JSONWriter.append(source, to: &bytes)
        bytes.append(contentsOf: #","occurred_at":""#.utf8)
        let instant = time.time.timestamp
        times =
            times.map { min($0.lowerBound, instant)...max($0.upperBound, instant) }
            ?? instant...instant
        let rejection = Rejection.unwritable(time, "occurred_at")
        if rejection == nil { RFC3339.append(time, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
        return Draft(
            start: start,
            content: bytes.count,
            source: source,
            time: time,
            type: type,
            rejection: rejection
        )
    }

    /// Adds a member that is a text.
    mutating func add(_ name: String, text: String, to draft: inout Draft) {
        addName(name)
        JSONWriter.append(text, to: &bytes)
    }

    /// Adds a member that is a number.
    mutating func add(_ name: String, _ number: ScaledDecimal, to draft: inout Draft) {
        addName(name)
        FixedPoint.append(number.significand, decimals: Int(number.decimals), to: &bytes)
    }

    /// Adds a member whose value is JSON already.
    mutating func add(_ name: String, json: String, to draft: inout Draft) {
        addName(name)
        bytes.append(contentsOf: json.utf8)
    }

    /// Adds a member as it was written in JSON, without the white space around its parts, because a
    /// line feed there would end the line.
    mutating func add(
        _ name: Range<Int>,
        _ value: JSONObjectIndex.Value,
        of text: Span<UInt8>,
        to draft: inout Draft
    ) {
        bytes.append(UInt8(ascii: ","))
        // The quotes stand around a name, and around a text.
        for position in name.lowerBound - 1...name.upperBound { bytes.append(text[position]) }
        bytes.append(UInt8(ascii: ":"))
        let quote = value.kind == .text ? 1 : 0
        var isInText = false
        var isEscaped = false
        for position in value.range.lowerBound - quote..<value.range.upperBound + quote {
            let byte = text[position]
            if !isEscaped, byte == UInt8(ascii: "\"") { isInText.toggle() }
            isEscaped = isInText && !isEscaped && byte == UInt8(ascii: "\\")
            if isInText || byte > UInt8(ascii: " ") { bytes.append(byte) }
        }
    }

    /// Adds a member that is a number as it was written, if it is written as JSON or other programs
    /// write numbers; else notes that it is not a number.
    ///
    /// A longitude beyond 180° is wrapped to its equal below.
    mutating func add(
        _ name: String,
        number text: Span<UInt8>,
        _ range: Range<Int>,
        to draft: inout Draft
    ) {
        if name == "lon", let turned = AngleText.turnedBack(text, range) {
            return add(name, turned, to: &draft)
        }
        addName(name)
        guard !NumberText.appendJSON(text, range, to: &bytes) else { return }
        draft.rejection =
            draft.rejection
            ?? Rejection(
                .invalidNumber,
                field: name,
                sentence: "\(name) is \(Excerpt.of(text, range)), which is no number."
            )
    }

    private mutating func addName(_ name: String) {
        bytes.append(UInt8(ascii: ","))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: "\":".utf8)
    }

    /// Ends the line of an event; one that is not acceptable becomes a rejection.
    mutating func end(_ draft: Draft, record: Int) {
        if let rejection = draft.rejection {
            // The line that was begun shows what there is of it; a delivery keeps its record.
            let shown = isDelivery ? 0 : min(bytes.count - draft.start, excerptByteCount)
            let range = draft.start..<(draft.start + shown)
            items.append(Item(record: record, outcome: .rejected(rejection), range: range))
            return
        }
        let isFix = draft.type == EventKind.fixRecorded.name
        if isFix, isNull(bytes[draft.content...]) { nullCoordinates += 1 }
        if isFix, !isDelivery { addToRuns(draft) }
        if draft.isNumbered, !isDelivery, isFix {
            let content = bytes[draft.content...]
            if let ordinal = instant.ordinal(of: content, draft.source, draft.time) {
                bytes.append(contentsOf: #","sequence":"#.utf8)
                bytes.append(contentsOf: String(ordinal).utf8)
            }
        }
        // After the number: members that could not be read do not make it another fix.
        if !draft.unread.isEmpty || !draft.notes.isEmpty { addExtra(of: draft) }
        bytes.append(UInt8(ascii: "}"))
        items.append(Item(record: record, outcome: .event, range: draft.start..<bytes.count))
    }

    private mutating func addToRuns(_ fix: Draft) {
        let run = Run(of: fix.source, at: fix.time.time.timestamp)
        if let last = runs.indices.last, runs[last].source.hasSameBytes(as: fix.source),
            runs[last].join(run)
        {
            return
        }
        runs.append(run)
    }

    /// Whether a fix is at 0°, 0°: its content begins with its latitude and longitude.
    private func isNull(_ content: ArraySlice<UInt8>) -> Bool {
        var rest = content
        for name in [Self.latitudeName, Self.longitudeName] {
            guard rest.starts(with: name) else { return false }
            let number = rest.dropFirst(name.count).prefix { $0 != UInt8(ascii: ",") }
            guard number.allSatisfy({ "-.0".utf8.contains($0) }) else { return false }
            rest = rest[number.endIndex...]
        }
        return true
    }

    private static let latitudeName = Array(#","lat":"#.utf8)
    private static let longitudeName = Array(#","lon":"#.utf8)
}

// MARK: - Optional members

extension ImportBatch {
    /// The most bytes that are kept of what could not be read.
    private static let mostUnreadBytes = 100

    /// Adds a reading that a fix can be without: if it is not a number, only that reading is lost,
    /// and its text is kept.
    mutating func add(
        _ name: String,
        reading text: Span<UInt8>,
        _ range: Range<Int>,
        to draft: inout Draft
    ) {
        let range = NumberText.trimmed(text, range)
        guard !range.isEmpty else { return }
        let start = bytes.count
        addName(name)
        guard !NumberText.appendReading(text, range, to: &bytes) else { return }
        bytes.removeLast(bytes.count - start)
        leave(name, unread: text, range, of: &draft)
    }

    /// Notes an optional member that cannot be read.
    mutating func leave(
        _ name: String,
        unread text: Span<UInt8>,
        _ range: Range<Int>,
        of draft: inout Draft
    ) {
        let start = range.prefix(Self.mostUnreadBytes)
        let written = String(decoding: text.bytes(in: start), as: UTF8.self)
        draft.unread.append((name, written))
    }

    /// Notes an optional member that cannot be read, given what was written there.
    mutating func leave(_ name: String, unread written: String, of draft: inout Draft) {
        let bytes = Array(written.utf8)
        leave(name, unread: bytes.span, bytes.indices, of: &draft)
    }

    /// Says something in a member that events of the type do not have.
    mutating func note(_ name: String, _ text: String, in draft: inout Draft) {
        draft.notes.append((name, text))
    }

    /// Adds what the event's type has no members for; counts what could not be read.
    private mutating func addExtra(of draft: Draft) {
        bytes.append(contentsOf: #","extra":{"#.utf8)
        addMembers(draft.notes.map { ($0.name, $0.text) })
        if !draft.unread.isEmpty {
            if !draft.notes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: #""unread":{"#.utf8)
            addMembers(draft.unread)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "}"))
        for member in draft.unread { unread[member.name, default: 0] += 1 }
    }

    private mutating func addMembers(_ members: [(name: String, written: String)]) {
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONWriter.append(member.written, to: &bytes)
        }
    }
}

/// The fixes that a source reports for one instant.
///
/// Loggers that are finer than their clock write several for one second. Each that differs from
/// those before gets its number among them, so that they keep their order; the number is the same
/// in every file that holds them in this order, so that none is taken for another one.
private struct Instant: Sendable {
    private var source = ""
    private var time: PreciseTime?
    private var first: [UInt8] = []
    private var others: [[UInt8]: Int] = [:]

    /// Returns a fix's number among those of its instant; `nil` for the first of them.
    mutating func ordinal(
        of content: ArraySlice<UInt8>,
        _ source: String,
        _ time: PreciseTime
    ) -> Int? {
        guard time == self.time, source.hasSameBytes(as: self.source) else {
            self.time = time
            self.source = source
            first.removeAll(keepingCapacity: true)
            first.append(contentsOf: content)
            if !others.isEmpty { others = [:] }
            return nil
        }
        guard !first.elementsEqual(content) else { return nil }
        let known = others[Array(content)]
        let ordinal = known ?? others.count + 1
        if known == nil { others[Array(content)] = ordinal }
        return ordinal
    }
}

// MARK: - Members of a fix

extension ImportBatch {
    /// Adds a number that must be there.
    mutating func add(
        _ name: String,
        required range: Range<Int>?,
        of text: Span<UInt8>,
        to draft: inout Draft
    ) {
        guard let range else {
            draft.rejection = draft.rejection ?? .missingField(name)
            return
        }
        add(name, number: text, range, to: &draft)
    }

    /// Adds a reading if it is there.
    mutating func add(
        _ name: String,
        optional range: Range<Int>?,
        of text: Span<UInt8>,
        to draft: inout Draft
    ) {
        guard let range else { return }
        add(name, reading: text, range, to: &draft)
    }

    /// Adds a reading if it is there and not negative; a negative one means that it is not known.
    mutating func add(
        _ name: String,
        known range: Range<Int>?,
        of text: Span<UInt8>,
        to draft: inout Draft
    ) {
        guard let range, let first = NumberText.trimmed(text, range).first else { return }
        if text[first] == UInt8(ascii: "-"), NumberText.isNumber(text, range) { return }
        // No receiver is exact to the millimetre: an accuracy of 0 means that it is not known.
        if name == "accuracy", text[first] == UInt8(ascii: "0"),
            NumberText.decimal(text, range)?.significand == 0
        {
            return
        }
        add(name, reading: text, range, to: &draft)
    }

    /// Adds a reading as a plain decimal number, if it is there and known; an accuracy of 0 means
    /// that it is not.
    mutating func add(
        _ name: String,
        plain range: Range<Int>?,
        of text: Span<UInt8>,
        to draft: inout Draft
    ) {
        guard let range = range.map({ NumberText.trimmed(text, $0) }), !range.isEmpty else {
            return
        }
        guard let number = NumberText.rounded(text, range) else {
            return leave(name, unread: text, range, of: &draft)
        }
        let least: Int64 = name == "accuracy" ? 1 : 0
        if number.significand >= least { add(name, number, to: &draft) }
    }

    /// Adds a speed in metres per second, if it is there and known.
    mutating func add(
        _ name: String,
        _ speed: ScaledDecimal?,
        in unit: SpeedUnit,
        to draft: inout Draft
    ) {
        guard let speed = speed.flatMap({ unit.metersPerSecond($0) }) else { return }
        add(name, speed, to: &draft)
    }

    /// Adds a speed that was written in a unit, in metres per second, if it is there and known.
    mutating func add(
        speed range: Range<Int>?,
        of text: Span<UInt8>,
        in unit: SpeedUnit,
        to draft: inout Draft
    ) {
        guard let range = range.map({ NumberText.trimmed(text, $0) }), !range.isEmpty else {
            return
        }
        guard let speed = NumberText.rounded(text, range) else {
            return leave("speed", unread: text, range, of: &draft)
        }
        add("speed", speed, in: unit, to: &draft)
    }

    /// Notes a piece of JSON that cannot be read.
    mutating func reject(_ kind: JSONPieces.Kind, record: Int) {
        switch kind {
        case .element, .root: break
        case .overlong: reject(.overlong(JSONPieces.maximumByteCount), record: record)
        case .broken(let sentence):
            reject(Rejection(.invalidJSON, sentence: sentence), record: record)
        }
    }
}

extension Rejection {
    /// Returns the reason to refuse a time that RFC 3339 cannot write; `nil` if it can.
    static func unwritable(_ time: PreciseTime, _ name: String) -> Rejection? {
        let timestamp = time.time.timestamp
        guard !RFC3339.writable.contains(timestamp) else { return nil }
        return Rejection(
            .timeOutOfRange,
            field: name,
            sentence:
                "\(name) is \(timestamp.milliseconds) ms after 1970, which is in no year from 1 "
                + "to 6428."
        )
    }

    /// Whether the rejection says that something is no JSON.
    var isAboutJSON: Bool {
        [.invalidJSON, .invalidNumber, .controlCharacter].contains(code) && field == nil
    }

    /// Returns the reason for a line or value that is too long.
    static func overlong(_ byteCount: Int) -> Rejection {
        Rejection(.lineTooLong, sentence: "It has more than \(byteCount) bytes.")
    }
}
