import Foundation
import Geodesy
import TestSupport
import Testing

@testable import TripEvents

@Suite struct EventLineReaderTests {
    /// A line of the traces, as another parser sees it.
    private struct TraceLine: Decodable {
        var type: String
        var source: String
        var occurredAt: String?
        var lat: Double?
        var lon: Double?
        var speed: Double?
    }

    /// 2026-03-14T12:00:00Z.
    private let recordedAt = Timestamp(milliseconds: 1_773_489_600_000)

    private func event(
        _ line: String,
        defaultSource: String? = nil,
        reader: inout EventLineReader
    ) throws -> TripEvent {
        let bytes = Array(line.utf8)
        return try reader.event(bytes.span, defaultSource: defaultSource, recordedAt: recordedAt)
    }

    private func event(_ line: String, defaultSource: String? = nil) throws -> TripEvent {
        var reader = EventLineReader()
        return try event(line, defaultSource: defaultSource, reader: &reader)
    }

    private let go = #"{"type":"go_pressed","source":"p","occurred_at":1773489600000}"#

    @Test func `white space and line ends change nothing`() throws {
        let event = try event(go)
        #expect(event.body == .goPressed(GoPressed()))
        #expect(try self.event(go + "\n") == event)
        #expect(try self.event(go + "\r\n") == event)
        let spaced = go.replacing(":", with: " :\t").replacing(",", with: "\r\n, ")
        #expect(try self.event(" " + spaced + " ") == event)
    }

    @Test func `the order of members changes nothing`() throws {
        #expect(
            try event(#"{"occurred_at":1773489600000,"source":"p","type":"go_pressed"}"#)
                == event(go)
        )
    }

    @Test func `escapes in names and values are read`() throws {
        let event = try event(
            #"{"t\u0079pe":"go\u005fpressed","source":"\ud83d\ude97 \"\/\\","#
                + #""occurred_at":"2026-03-14T12:00:00\u002b00:00","vehicle":"\u00e9"}"#
        )
        #expect(event.source == "\u{1F697} \"/\\")
        #expect(event.utcOffset == UTCOffset(minutes: 0))
        #expect(event.body == .goPressed(GoPressed(vehicle: "\u{E9}")))
    }

    @Test func `the source is the line's, else the default`() throws {
        let line = #"{"type":"go_pressed","occurred_at":1773489600000}"#
        var reader = EventLineReader()
        #expect(try event(line, defaultSource: "d", reader: &reader).source == "d")
        #expect(try event(go, defaultSource: "d", reader: &reader).source == "p")
        #expect(try event(line, defaultSource: "d", reader: &reader).source == "d")
        #expect(throws: Rejection.self) { try event(line, reader: &reader) }
        #expect(throws: Rejection.self) { try event(line, defaultSource: "", reader: &reader) }
        #expect(throws: Rejection.self) { try event(line, defaultSource: "") }
    }

    @Test func `sources that look alike are told apart`() throws {
        var reader = EventLineReader()
        for source in ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}", "cafe"] {
            let event = try event(
                go.replacing("\"p\"", with: "\"\(source)\""),
                reader: &reader
            )
            #expect(event.source.hasSameBytes(as: source))
        }
    }

    @Test func `a refused line leaves nothing behind`() throws {
        var reader = EventLineReader()
        let bad = go.replacing("}", with: #","id":"x","sequence":7,"vehicle":"","odd":1}"#)
        #expect(throws: Rejection.self) { try event(bad, reader: &reader) }
        #expect(try event(go, reader: &reader) == event(go))
    }

    @Test func `an event may happen from 1980-01-06 to a day after its arrival`() throws {
        for time in ["315964800000", "1773576000000", #""1980-01-06T01:00:00+01:00""#] {
            let event = try event(go.replacing("1773489600000", with: time))
            #expect(event.occurredAt >= EnvelopeRule.earliest)
        }
    }

    @Test(arguments: EventKind.allCases)
    func `an event that was made in the program is checked like a line`(kind: EventKind) throws {
        for seed in Seeds.fresh(10) {
            var random = RandomEvents(seed: seed)
            var event = try random.event(kind)
            guard event.encoded.payload.count < 60_000 else { continue }
            #expect(throws: Never.self, "seed \(seed)") {
                try event.validate(recordedAt: RandomEvents.recordedAt)
            }
            event.actor = String(repeating: "a", count: 201)
            #expect(throws: Rejection.self) {
                try event.validate(recordedAt: RandomEvents.recordedAt)
            }
        }
    }

    @Test func `every source has one number, whichever lines name it`() throws {
        var reader = EventLineReader()
        let names = (0..<500).map { "source \($0)" + String(repeating: "\u{E9}", count: $0 % 9) }
        for (number, name) in (names + names.reversed() + ["e\u{301}"]).enumerated() {
            _ = try event(go.replacing("\"p\"", with: "\"\(name)\""), reader: &reader)
            #expect(reader.candidate.source.hasSameBytes(as: name))
            let expected = number < 500 ? number : number < 1_000 ? 999 - number : 500
            #expect(reader.candidate.sourceNumber == expected)
        }
    }

    @Test func `an unknown event is refused, for only a newer program can make one`() {
        let event = TripEvent(
            source: "p",
            occurredAt: recordedAt,
            body: .unknown(UnknownEvent(kind: 0x7F, form: 0, payload: []))
        )
        #expect(throws: Rejection.self) { try event.validate(recordedAt: recordedAt) }
    }

    @Test func `an entry's length follows the formats`() throws {
        var reader = EventLineReader()
        let fix = #"{"type":"fix_recorded","source":"p","occurred_at":1773489600000,"#
        _ = try event(fix + #""lat":1,"lon":2}"#, reader: &reader)
        #expect(reader.candidate.entryBytes == 26 + 18)
        _ = try event(fix + #""lat":1,"lon":2,"id":"abc"}"#, reader: &reader)
        #expect(reader.candidate.entryBytes == 26 + 1 + 3 + 18)
        // The prefix of a title is its tag and its length; from 256 bytes on the length grows by 2.
        let id = String(repeating: "i", count: 210)
        _ = try event(fix + #""lat":1,"lon":2,"id":"\#(id)"}"#, reader: &reader)
        #expect(reader.candidate.entryBytes == 255)
        _ = try event(fix + #""lat":1,"lon":2,"id":"\#(id)i"}"#, reader: &reader)
        #expect(reader.candidate.entryBytes == 258)
    }

    @Test(
        .enabled(if: SharedData.isPresent, SharedData.missing),
        arguments: [
            "nds_10", "comma2k19_ex1", "barefoot_x0001_015", "rsk_T3_04_22_2021_1",
        ]
    )
    func `real drives are read as another parser reads them`(name: String) throws {
        let file = [UInt8](try SharedData.data("traces/\(name).jsonl"))
        var reader = EventLineReader()
        // JSONSerialization rounds some numbers wrongly; the decoder does not.
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var fixes = 0
        for slice in file.split(separator: UInt8(ascii: "\n")) {
            let line = Array(slice)
            let expected = try decoder.decode(TraceLine.self, from: Data(line))
            guard expected.occurredAt != nil else {
                #expect(throws: Rejection.self) {
                    try reader.read(line.span, recordedAt: recordedAt)
                }
                continue
            }
            try reader.read(line.span, recordedAt: recordedAt)
            let candidate = reader.candidate
            #expect(candidate.kind.name == expected.type)
            #expect(candidate.source == expected.source)
            guard candidate.kind == .fixRecorded else { continue }
            let read = Fix(
                payload: candidate.payload.span,
                form: candidate.form,
                occurredAt: candidate.occurredAt
            )
            let fix = try #require(read)
            #expect(fix.coordinate.latitude == expected.lat)
            #expect(fix.coordinate.longitude == expected.lon)
            #expect(fix.speedMetersPerSecond == expected.speed.flatMap { $0 < 0 ? nil : $0 })
            fixes += 1
        }
        #expect(fixes > 50)
    }
}

@Suite struct QuotedNameTests {
    private static let names =
        FieldName.allCases.map(\.jsonName) + EnvelopeName.allCases.map(\.jsonName)

    private func quoted(_ name: String) -> QuotedName? {
        QuotedName(PackedName(name.utf8), nameByteCount: name.utf8.count)
    }

    private func stands(_ form: QuotedName, in line: [UInt8], at offset: Int) -> Bool {
        form.stands(in: line.span, at: offset)
    }

    @Test(arguments: names)
    func `a name stands where its bytes do, and nowhere else`(name: String) throws {
        guard let form = quoted(name) else {
            #expect(name.utf8.count > 14)
            return
        }
        let text = Array("\(name)\":".utf8)
        #expect(form.byteCount == text.count)
        let line = Array("?".utf8) + text + Array(repeating: UInt8(ascii: "\""), count: 16)
        #expect(stands(form, in: line, at: 1))
        #expect(!stands(form, in: line, at: 0))
        for index in text.indices {
            var other = line
            other[1 + index] ^= 0x20
            #expect(!stands(form, in: other, at: 1), "byte \(index)")
        }
        for index in 1 + text.count..<line.count {
            var other = line
            other[index] ^= 0xFF
            #expect(stands(form, in: other, at: 1), "byte \(index)")
        }
    }

    @Test func `a name of more than fourteen bytes has no such form`() {
        #expect(quoted("fourteen_bytes") != nil)
        #expect(quoted("fifteen_bytes__") == nil)
    }
}
