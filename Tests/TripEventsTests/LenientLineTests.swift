import DriveSimulation
import TestSupport
import Testing

@testable import TripEvents

/// Spellings that lose nothing are accepted, and written in one way afterwards.
@Suite struct LenientLineTests {
    /// Members of a line, in order.
    private typealias Members = [(name: String, value: String)]

    private static func line(_ members: Members) -> [UInt8] {
        let text = members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",")
        return Array("{\(text)}".utf8)
    }

    private func event(_ line: [UInt8], isStrict: Bool = false) throws(Rejection) -> TripEvent {
        var reader = EventLineReader(acceptingReservedTypes: true, isStrict: isStrict)
        return try reader.event(line.span, recordedAt: RandomEvents.recordedAt)
    }

    private func rejection(_ line: [UInt8], isStrict: Bool = false) -> Rejection? {
        do throws(Rejection) {
            _ = try event(line, isStrict: isStrict)
            return nil
        } catch {
            return error
        }
    }

    /// Returns an event that fits into an entry with all that is added, and the members of its
    /// line.
    private func subject(
        _ kind: EventKind,
        _ random: inout RandomEvents
    ) throws -> (event: TripEvent, members: Members) {
        while true {
            var event = try random.event(kind)
            event.supplement.extra = nil
            event.supplement.unread = nil
            guard event.encoded.payload.count < 30_000 else { continue }
            return (event, EventVariants.members(of: event))
        }
    }

    @Test(arguments: EventKind.allCases)
    func `members that no event has are kept as they came, wherever they stand`(
        kind: EventKind
    ) throws {
        for seed in Seeds.fresh(20) {
            var random = RandomEvents(seed: seed)
            let (event, members) = try subject(kind, &random)
            let extra = random.extraMembers(named: "x")
            var line = members
            var place = 0
            for member in extra {
                place = Int.random(in: place...line.count, using: &random.generator)
                line.insert(member, at: place)
                place += 1
            }
            var expected = event
            expected.supplement.extra = ExtraMembers(
                json: String(decoding: Self.line(extra), as: UTF8.self)
            )
            #expect(expected.supplement.extra != nil, "seed \(seed)")
            let read = try self.event(Self.line(line))
            #expect(read == expected, "seed \(seed)")
            // Sent under their one name, they are the same event.
            let together = members + [("extra", String(decoding: Self.line(extra), as: UTF8.self))]
            let again = try self.event(Self.line(together))
            #expect(again == expected, "seed \(seed)")
            #expect(try self.event(Self.line(together), isStrict: true) == expected)
            // The written line is read back, to the byte.
            #expect(try self.event(Array(read.json.utf8)).encoded == read.encoded, "seed \(seed)")
        }
    }

    @Test(arguments: EventKind.allCases)
    func `a strict reader refuses what events of the type do not have, and nothing more`(
        kind: EventKind
    ) throws {
        for seed in Seeds.fresh(20) {
            var random = RandomEvents(seed: seed)
            let (event, members) = try subject(kind, &random)
            #expect(try self.event(Self.line(members), isStrict: true) == event, "seed \(seed)")
            var line = members
            line.insert(
                ("volume", "null"),
                at: Int.random(in: 0...line.count, using: &random.generator)
            )
            let refused = try #require(rejection(Self.line(line), isStrict: true), "seed \(seed)")
            #expect(refused.code == .unknownField, "seed \(seed)")
            let column = try #require(refused.column)
            let rest = Self.line(line)[(column - 1)...]
            #expect(rest.starts(with: Array(#""volume""#.utf8)), "seed \(seed)")

            let own = Set(FieldLister.fields(of: kind).map(\.name))
            let others = FieldName.allCases.filter { !own.contains($0) && $0 != .group }
            let other = try #require(others.randomElement(using: &random.generator))
            for value in ["null", "[1]"] {
                let refused = rejection(
                    Self.line(members + [(other.jsonName, value)]),
                    isStrict: true
                )
                #expect(refused != nil, "seed \(seed): \(other)")
            }
        }
    }

    @Test(arguments: EventKind.allCases)
    func `what is null is not there, unless null clears it`(kind: EventKind) throws {
        for seed in Seeds.fresh(10) {
            var random = RandomEvents(seed: seed)
            let (event, members) = try subject(kind, &random)
            let clearable = FieldLister.fields(of: kind).filter(\.isClearable).map(\.name)
            let names =
                EnvelopeName.allCases.map(\.jsonName)
                + FieldName.allCases.filter { !clearable.contains($0) }.map(\.jsonName)
            let present = Set(members.map(\.name))
            let absent: Members = names.filter { !present.contains($0) }.map { ($0, "null") }
            #expect(
                try self.event(Self.line((members + absent).shuffled(using: &random.generator)))
                    == event,
                "seed \(seed)"
            )
        }
    }

    @Test(arguments: EventKind.allCases)
    func `members that events of other types have are kept, whatever they hold`(
        kind: EventKind
    ) throws {
        for seed in Seeds.fresh(10) {
            var random = RandomEvents(seed: seed)
            let (event, members) = try subject(kind, &random)
            let own = Set(FieldLister.fields(of: kind).map(\.name))
            let others = FieldName.allCases.filter { !own.contains($0) && $0 != .group }
                .shuffled(using: &random.generator).prefix(3)
            let extra: Members = others.map { ($0.jsonName, random.jsonValue(depth: 2)) }
                .filter { $0.1 != "null" }
            guard !extra.isEmpty else { continue }
            var expected = event
            expected.supplement.extra = ExtraMembers(
                json: String(decoding: Self.line(extra), as: UTF8.self)
            )
            #expect(try self.event(Self.line(members + extra)) == expected, "seed \(seed)")
        }
    }

    @Test(arguments: EventKind.allCases)
    func `a line of a log is the event, without what that ledger added`(kind: EventKind) throws {
        for seed in Seeds.fresh(10) {
            var random = RandomEvents(seed: seed)
            let event = try subject(kind, &random).event
            let added = #"{"position":17,"recorded_at":"2026-03-14T12:00:00.000Z","#
            let line = Array((added + event.json.dropFirst()).utf8)
            for isStrict in [false, true] {
                #expect(try self.event(line, isStrict: isStrict) == event, "seed \(seed)")
            }
            // One without the other is the sender's own.
            let own = Array((#"{"position":17,"# + event.json.dropFirst()).utf8)
            #expect(try self.event(own).supplement.extra?.json == #"{"position":17}"#)
        }
    }

    @Test(arguments: Seeds.fresh(200))
    func `times are kept to the nanosecond and ordered by milliseconds`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let count = Int.random(in: 1...9, using: &generator)
        let digits = (0..<count).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
        let offset = ["Z", "+00:00", "-05:30", "+01:00"].randomElement(using: &generator) ?? "Z"
        let line = { (digits: String) in
            Array(
                (#"{"type":"fix_recorded","source":"p","lat":1,"lon":2,"occurred_at":""#
                    + "2026-03-14T15:09:26.\(digits)\(offset)\"}")
                    .utf8
            )
        }
        let read = try event(line(digits))
        let padded = digits + String(repeating: "0", count: 9 - count)
        #expect(read.supplement.nanoseconds == UInt32(padded.suffix(6)), "seed \(seed)")
        #expect(read.occurredAt.milliseconds % 1_000 == Int64(padded.prefix(3)), "seed \(seed)")
        #expect(try event(line(padded + "00")) == read, "seed \(seed)")
        #expect(try event(Array(read.json.utf8)) == read, "seed \(seed)")
        // The shortest of three, six or nine digits that says it.
        let written = [3, 6, 9].first { padded.dropFirst($0).allSatisfy { $0 == "0" } } ?? 9
        #expect(read.json.contains(".\(padded.prefix(written))\(offset)\""), "seed \(seed)")
        let fix = Fix(
            payload: read.encoded.payload.span,
            form: read.encoded.form,
            occurredAt: read.occurredAt
        )
        #expect(fix?.occurredAt == read.occurredAt, "seed \(seed)")
    }

    @Test func `a zero may have a sign`() throws {
        let line = { (zero: String) in
            Array(
                (#"{"type":"fix_recorded","source":"p","occurred_at":1773489600000,"lat":0,"#
                    + #""lon":\#(zero),"altitude":\#(zero),"sequence":0}"#)
                    .utf8
            )
        }
        let plain = try event(line("0"))
        for zero in ["-0", "-0.0", "-0e5", "0.000", "-0.00000000000000000000000"] {
            #expect(try event(line(zero)) == plain, "\(zero)")
        }
        let sequence =
            Array(String(decoding: line("0"), as: UTF8.self).utf8.dropLast(2)) + Array("-0}".utf8)
        #expect(try event(sequence) == plain)
    }

    @Test func `what is extra has its limits`() throws {
        let go = #"{"type":"go_pressed","source":"p","occurred_at":1773489600000,"#
        func line(_ rest: String) -> [UInt8] { Array((go + rest + "}").utf8) }
        func text(bytes: Int) -> String {
            #""x":""# + String(repeating: "x", count: bytes - #"{"x":""}"#.utf8.count) + "\""
        }
        func nested(_ depth: Int) -> String {
            #""x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(rejection(line(text(bytes: 16_384))) == nil)
        #expect(rejection(line(text(bytes: 16_385)))?.code == .extraTooLong)
        #expect(rejection(line(nested(15))) == nil)
        #expect(rejection(line(nested(16)))?.code == .tooDeep)
        #expect(rejection(line(#""x":1,"extra":{"x":1}"#))?.code == .duplicateKey)
        #expect(rejection(line(#""lat":1,"extra":{"lat":1}"#))?.code == .duplicateKey)
        #expect(rejection(line(#""extra":{"x":1,"x":1}"#))?.code == .duplicateKey)
        #expect(rejection(line(#""extra":[1]"#))?.code == .wrongType)
        let bare = try event(line(#""extra":{}"#))
        #expect(try event(line(#""extra":null"#)) == bare)
        #expect(bare.supplement.isEmpty)
        let kept = try event(line(#" "b" : [ 1.50 , -0.0 ] , "a":"\u00e9\u009b\u001b\/" "#))
        #expect(
            kept.supplement.extra?.json == #"{"b":[1.50,-0.0],"a":"é\u009b\u001b/"}"#
        )
    }

    @Test(arguments: [
        (#""latitude":1,"lon":2"#, "lat", #"The event has no lat; perhaps "latitude" was meant."#),
        (#""lta":1,"lon":2"#, "lat", #"The event has no lat; perhaps "lta" was meant."#),
        (#""y":1,"lon":2"#, "lat", "The event has no lat."),
    ])
    func `a misspelt member that must be there is missed`(
        members: String,
        field: String,
        sentence: String
    ) {
        let line = #"{"type":"fix_recorded","source":"p","occurred_at":1773489600000,\#(members)}"#
        let refused = rejection(Array(line.utf8))
        #expect(refused?.code == .missingField)
        #expect(refused?.field == field)
        #expect(refused?.sentence == sentence)
    }

    @Test func `names that are nearly right are found`() {
        let near = [
            ("accurracy", "accuracy"), ("Speed", "speed"), ("spede", "speed"), ("corse", "course"),
            ("provder", "provider"), ("idd", "id"),
        ]
        for (name, member) in near {
            #expect(EventKind.fixRecorded.members(perhapsMeantBy: name).contains(member), "\(name)")
        }
        for name in ["battery", "speed_accuracy", "wifi", "", String(repeating: "a", count: 99)] {
            #expect(EventKind.fixRecorded.members(perhapsMeantBy: name) == [], "\(name)")
        }
    }

    @Test func `entries that a ledger wrote about itself, and those that are gone, are no events`()
    {
        let added = #""position":0,"recorded_at":"2026-03-14T12:00:00.000Z","#
        let lines = [
            (#"{\#(added)"type":"ledger_created","source":""}"#, RejectionCode.nothingToAppend),
            (#"{\#(added)"type":"erased","source":"p"}"#, .nothingToAppend),
            (#"{\#(added)"type":"withheld","source":"p"}"#, .nothingToAppend),
            (#"{"position":7,"type":"withheld","leaf_hash":"ab"}"#, .nothingToAppend),
            (
                #"{"format":"ledger-export/v1","ledger":"ab","first_position":0,"size":9}"#,
                .nothingToAppend
            ),
            (#"{\#(added)"type":"ledger_created","source":"p"}"#, .reservedType),
            (#"{"type":"ledger_created","source":""}"#, .reservedType),
            (#"{"type":"go_pressed","source":"","occurred_at":1773489600000}"#, .emptyText),
            (
                #"{"type":"go_pressed","source":"ledger","occurred_at":1773489600000}"#,
                .reservedSource
            ),
            (#"{\#(added)"type":"unknown","source":"p","kind":99}"#, .unknownType),
        ]
        for (line, code) in lines {
            var reader = EventLineReader()
            let bytes = Array(line.utf8)
            do throws(Rejection) {
                try reader.read(bytes.span, recordedAt: RandomEvents.recordedAt)
                Issue.record("\(line) was taken")
            } catch {
                #expect(error.code == code, "\(line)")
            }
        }
    }
}
