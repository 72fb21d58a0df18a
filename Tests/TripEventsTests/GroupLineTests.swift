import JSONText
import Testing

@testable import TripEvents

/// The group of a source, as lines and programs say it.
@Suite struct GroupLineTests {
    /// 2026-03-14T12:00:00Z.
    private static let recordedAt = Timestamp(milliseconds: 1_773_489_600_000)

    private static func line(_ rest: String, source: String = "p") -> String {
        #"{"type":"fix_recorded","source":"\#(source)","occurred_at":1773489600000,"#
            + #""lat":52,"lon":4"# + rest + "}"
    }

    /// Reads lines with one reader, and returns the source, its number and the group of each.
    private func read(
        _ lines: [String],
        of group: String? = nil
    ) throws -> [(source: String, number: Int, group: String?)] {
        var reader = EventLineReader()
        reader.group = group
        return try lines.map { line in
            try reader.read(Array(line.utf8).span, recordedAt: Self.recordedAt)
            let candidate = reader.candidate
            return (candidate.source, candidate.sourceNumber, candidate.group)
        }
    }

    @Test func `a line says the group of its source, or nothing`() throws {
        let found = try read([
            Self.line(#","group":"17""#), Self.line(#","group":"17""#), Self.line(""),
            Self.line(#","group":null"#), Self.line(#","group":"\u0031\u0037""#),
            Self.line(#","group":"18""#), Self.line(#","group":"17""#, source: "q"), Self.line(""),
        ])
        #expect(found.map(\.group) == ["17", "17", nil, nil, "17", "18", "17", nil])
        #expect(found.map(\.source) == ["p", "p", "p", "p", "p", "p", "q", "p"])
        // One number for each source with what is said of it.
        #expect(found.map(\.number) == [0, 0, 1, 1, 0, 2, 3, 1])
    }

    @Test func `all lines may be of one group, which a line need not name`() throws {
        let found = try read([Self.line(""), Self.line(#","group":"17""#)], of: "17")
        #expect(found.map(\.group) == ["17", "17"])
        #expect(throws: Rejection.self) { try read([Self.line(#","group":"18""#)], of: "17") }
    }

    @Test func `a reader takes over another group at any line`() throws {
        var reader = EventLineReader()
        let line = Array(Self.line("").utf8)
        var found: [String?] = []
        for group in [nil, "1", "1", "2", nil] as [String?] {
            reader.group = group
            try reader.read(line.span, recordedAt: Self.recordedAt)
            found.append(reader.candidate.group)
        }
        #expect(found == [nil, "1", "1", "2", nil])
    }

    @Test(arguments: [
        (#""""#, RejectionCode.emptyText), (#""a\u0007""#, .invalidText), ("12", .wrongType),
        ("\"" + String(repeating: "g", count: 65) + "\"", .textTooLong), ("{}", .wrongType),
    ])
    func `what can be no group is refused`(value: String, code: RejectionCode) {
        let error = #expect(throws: Rejection.self) {
            try read([Self.line(#","group":\#(value)"#)])
        }
        #expect(error?.code == code)
        #expect(error?.field == "group")
        #expect(error?.column != nil)
    }

    @Test func `the group is no part of the event, and a fix stays a narrow one`() throws {
        var reader = EventLineReader(isStrict: true)
        var payloads: [[UInt8]] = []
        for rest in ["", #","group":"17""#, #","group":null"#] {
            try reader.read(Array(Self.line(rest).utf8).span, recordedAt: Self.recordedAt)
            #expect(reader.candidate.form.frame == .narrowFix)
            #expect(reader.candidate.extraNames.isEmpty)
            payloads.append(reader.candidate.payload)
        }
        #expect(Set(payloads).count == 1)
    }

    @Test func `what a program says of a group is checked and written alike`() throws {
        let go = TripEvent(
            source: "box",
            group: "17",
            occurredAt: Self.recordedAt,
            body: .goPressed(GoPressed())
        )
        #expect(
            go.json == #"{"type":"go_pressed","source":"box","group":"17","#
                + #""occurred_at":"2026-03-14T12:00:00.000Z"}"#
        )
        var reader = EventLineReader()
        let line = Array(go.json.utf8)
        #expect(try reader.event(line.span, recordedAt: Self.recordedAt) == go)
        var other = go
        other.group = ""
        #expect(throws: Rejection.self) { try other.validate(recordedAt: Self.recordedAt) }
    }

    @Test func `the ledger says the group of a source in an event of its own`() throws {
        let registered = SourceRegistered(number: 1, name: "box", group: "17")
        let event = TripEvent(
            source: "x",
            occurredAt: Self.recordedAt,
            body: .sourceRegistered(registered)
        )
        var reader = EventLineReader(acceptingReservedTypes: true)
        let line = Array(event.json.utf8)
        #expect(try reader.event(line.span, recordedAt: Self.recordedAt) == event)
    }
}
