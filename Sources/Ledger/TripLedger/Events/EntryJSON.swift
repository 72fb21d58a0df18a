import EventStore
package import TripEvents

/// Writes entries as JSON objects (`log-entry.v1.schema.json`), one after the other, as
/// ``StoredEvent/json`` does.
///
/// It keeps what many readings have in common.
package struct EntryJSON: Sendable {
    /// One for all: a member of this value would be copied for each line.
    private static let reading = ReadingWriter()

    private static let id = Array(#","id":"#.utf8)
    private static let sequence = Array(#","sequence":"#.utf8)

    /// The room that is needed beside that for a source's name.
    private static let room = 2 * ShortText.room + DigitText.room + 2 * TimeText.room

    private let position = ShortText(#"{"position":"#)
    private let recordedAt = ShortText(#","recorded_at":""#)
    private var recorded = RepeatedTime()
    private var date = DateText(daysSince1970: 0)
    private var origins = OriginJSON()

    /// The source of the last reading, and what stands between the two times of its readings.
    private var source: UInt32?
    private var middle: [UInt8] = []

    /// Prepares to write entries of one log.
    package init() {}

    /// Appends an entry as a JSON object, without a line end.
    package mutating func append(_ entry: borrowing LoggedEntry, to bytes: inout [UInt8]) {
        switch entry {
        case .reading(let reading): append(reading, to: &bytes)
        case .event(let event): event.stored.appendJSON(to: &bytes)
        }
    }

    /// Appends an entry with where it comes from, if that is known.
    package mutating func append(
        _ entry: borrowing LoggedEntry,
        from origin: EntryOrigin?,
        to bytes: inout [UInt8]
    ) {
        append(entry, to: &bytes)
        guard let origin else { return }
        bytes.removeLast()
        origins.append(origin, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func append(_ logged: borrowing LoggedReading, to bytes: inout [UInt8]) {
        if logged.source != source { begin(logged) }
        let recordedAt = recorded.text(logged.recordedAt)
        let time = TimeText(logged.time, &date)
        let hasMore = logged.id != nil || logged.reading.sequence != nil
        // In one go: to make room for each part costs as much as to write it.
        bytes.append(addingCapacity: Self.room + middle.count + ReadingWriter.room) { span in
            position.append(to: &span)
            DigitText.append(Int64(logged.position), decimals: 0, to: &span)
            self.recordedAt.append(to: &span)
            recordedAt.append(to: &span)
            span.append(contentsOf: middle.span)
            time.append(to: &span)
            span.append(UInt8(ascii: "\""))
            guard !hasMore else { return }
            span.append(UInt8(ascii: ","))
            Self.reading.append(logged.reading, to: &span)
            span.append(UInt8(ascii: "}"))
        }
        guard hasMore else { return }
        if let id = logged.id {
            bytes.append(contentsOf: Self.id)
            JSONWriter.append(id, to: &bytes)
        }
        if let sequence = logged.reading.sequence {
            bytes.append(contentsOf: Self.sequence)
            bytes.append(contentsOf: String(sequence).utf8)
        }
        bytes.append(UInt8(ascii: ","))
        Self.reading.append(logged.reading, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(_ logged: borrowing LoggedReading) {
        middle = Array(#"","type":"\#(EventKind.fixRecorded.name)","source":"#.utf8)
        JSONWriter.append(logged.sourceName, to: &middle)
        if let group = logged.group {
            middle.append(contentsOf: #","group":"#.utf8)
            JSONWriter.append(group, to: &middle)
        }
        middle.append(contentsOf: #","occurred_at":""#.utf8)
        source = logged.source
    }
}

/// Writes the content of GPS readings as ``TripEvent/appendContentMembers(to:)`` does, straight
/// from the numbers of the entry.
package struct ReadingWriter: Sendable {
    /// The room that the members of a reading need.
    static let room = 6 * (ShortText.room + DigitText.room) + longestEnd

    /// The most bytes that say what made a reading.
    private static let longestEnd = 64

    private let latitude: ShortText
    private let longitude: ShortText
    private let accuracy: ShortText
    private let altitude: ShortText
    private let speed: ShortText
    private let course: ShortText

    /// The text after the numbers, by the provider of the reading.
    private let ends: [[UInt8]]

    /// Prepares to write members.
    ///
    /// - Parameter quote: The text for a quote: in a field of CSV it is two of them.
    package init(quote: String = "\"") {
        let names = StoredReading.numberNames.map { "\(quote)\($0)\(quote):" }
        latitude = ShortText(names[0])
        longitude = ShortText("," + names[1])
        accuracy = ShortText("," + names[2])
        altitude = ShortText("," + names[3])
        speed = ShortText("," + names[4])
        course = ShortText("," + names[5])
        ends = StoredReading.originMembers(quote: quote).map { Array($0.utf8) }
        precondition(ends.allSatisfy { $0.count <= Self.longestEnd }, "there is room for all")
    }

    /// Appends the members, the first one without a comma before it.
    package func append(_ reading: borrowing StoredReading, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: Self.room) { append(reading, to: &$0) }
    }

    /// Appends the members, for which there MUST be room, the first one without a comma before it.
    @inline(__always)
    func append(_ reading: borrowing StoredReading, to span: inout OutputSpan<UInt8>) {
        Self.append(latitude, reading.latitude, to: &span)
        Self.append(longitude, reading.longitude, to: &span)
        if let number = reading.accuracy { Self.append(accuracy, number, to: &span) }
        if let number = reading.altitude { Self.append(altitude, number, to: &span) }
        if let number = reading.speed { Self.append(speed, number, to: &span) }
        if let number = reading.course { Self.append(course, number, to: &span) }
        let end = ends[Int(reading.origin)]
        span.append(contentsOf: end.span)
    }

    @inline(__always)
    private static func append(
        _ name: ShortText,
        _ number: StoredNumber,
        to span: inout OutputSpan<UInt8>
    ) {
        name.append(to: &span)
        DigitText.append(number.units, decimals: number.places, to: &span)
    }
}

/// Keeps the text of a time as long as it is asked for the same one: entries that were appended
/// together were recorded at one time.
struct RepeatedTime: Sendable {
    private var time = Timestamp(milliseconds: 0)
    private var text = TimeText(EventTime(Timestamp(milliseconds: 0)))

    /// Returns the text of a time in UTC.
    @inline(__always)
    mutating func text(_ time: Timestamp) -> TimeText {
        if time != self.time {
            text = TimeText(EventTime(time))
            self.time = time
        }
        return text
    }
}
