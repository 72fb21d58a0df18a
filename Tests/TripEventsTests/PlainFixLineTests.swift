import DriveSimulation
import TestSupport
import Testing

@testable import TripEvents

/// The quick way to read a line gives the same as the general one.
@Suite struct PlainFixLineTests {
    private enum Reading: Equatable {
        case accepted(form: PayloadForm, payload: [UInt8])
        case refused(Rejection)
    }

    private func reading(of line: String, _ reader: inout EventLineReader) -> Reading {
        let bytes = Array(line.utf8)
        do throws(Rejection) {
            try reader.read(bytes.span, recordedAt: RandomEvents.recordedAt)
            return .accepted(form: reader.candidate.form, payload: reader.candidate.payload)
        } catch {
            return .refused(error)
        }
    }

    /// Returns a number in one of the forms that JSON allows.
    private func number(_ generator: inout SplitMix64) -> String {
        let odd = [
            "-1", "-1.0", "-1.00", "-10", "0", "0.0", "-0", "-0.0", "90", "-90.0000000", "180",
            "90.0000001", "6553.3", "6553.4", "655.33", "655.34", "838860.7", "838860.8",
            "-838860.7", "1e2", "12.5E-1", "01", "1.", "12345678901234567890",
            "0.12345678901234567890", "5.100000000000000000", "100000000000000000000.5",
        ]
        if Int.random(in: 0..<4, using: &generator) == 0 {
            return odd.randomElement(using: &generator) ?? "0"
        }
        let sign = Bool.random(using: &generator) ? "" : "-"
        let whole = Int.random(in: 0...200, using: &generator)
        let decimals = Int.random(in: 0...9, using: &generator)
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let fraction = (0..<decimals)
            .map { _ in
                // Zeros at the end more often than by chance.
                "\(max(0, Int.random(in: -6...9, using: &generator)))"
            }
        return "\(sign)\(whole).\(fraction.joined())"
    }

    /// Returns members of a fix, each with its value.
    private func members(_ generator: inout SplitMix64) -> [(name: String, value: String)] {
        var members = [
            ("type", "\"fix_recorded\""), ("source", "\"phone\""),
            (
                "occurred_at",
                "\"2015-01-05T06:00:01.\(Int.random(in: 0...999, using: &generator))Z\""
            ),
            ("lat", number(&generator)), ("lon", number(&generator)),
        ]
        for name in ["accuracy", "altitude", "speed", "course"]
        where Int.random(in: 0..<4, using: &generator) > 0 {
            members.append((name, number(&generator)))
        }
        for (name, values) in [
            ("provider", ["\"gps\"", "\"simulated\"", "\"nobody\"", "null"]),
            ("mock", ["true", "false", "0"]), ("sequence", ["7", "-7"]), ("lat", ["51.5"]),
            ("a_name_of_nobody_at_all", ["1"]),
        ] where Int.random(in: 0..<5, using: &generator) == 0 {
            members.append((name, values.randomElement(using: &generator) ?? "0"))
        }
        return members
    }

    @Test(arguments: Seeds.fresh(40))
    func `lines before a line change nothing, however they are written`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var reader = EventLineReader()
        for _ in 0..<60 {
            var members = members(&generator)
            if Int.random(in: 0..<4, using: &generator) == 0 { members.shuffle(using: &generator) }
            let colon = [":", " : ", ":\t"].randomElement(using: &generator) ?? ":"
            let line = members.map { "\"\($0.name)\"\(colon)\($0.value)" }.joined(separator: ",")
            var fresh = EventLineReader()
            let expected = reading(of: "{\(line)}", &fresh)
            #expect(reading(of: "{\(line)}", &reader) == expected, "seed \(seed): \(line)")
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `a fix is stored as its numbers say, whatever zeros they end in`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var reader = EventLineReader()
        for _ in 0..<60 {
            let numbers = (0..<6).map { _ in number(&generator) }
            let names = ["lat", "lon", "accuracy", "altitude", "speed", "course"]
            let members = zip(names, numbers).map { "\"\($0)\":\($1)" }.joined(separator: ",")
            let line =
                "{\"type\":\"fix_recorded\",\"source\":\"phone\",\"occurred_at\":1420437601000,"
                + members + "}"
            let decimals = numbers.compactMap(ExactDecimal.init(literal:))
            guard decimals.count == 6, decimals[0].doubleValue.magnitude <= 90,
                decimals[1].doubleValue.magnitude <= 180
            else {
                guard case .refused = reading(of: line, &reader) else {
                    Issue.record("seed \(seed): \(line) is accepted")
                    continue
                }
                continue
            }
            let fix = FixRecorded(
                latitude: decimals[0],
                longitude: decimals[1],
                accuracy: decimals[2],
                altitude: decimals[3],
                speed: decimals[4],
                course: decimals[5]
            )
            // This way there are no shortcuts.
            let encoded = TripEvent(
                source: "phone",
                occurredAt: Timestamp(milliseconds: 1_420_437_601_000),
                body: .fixRecorded(fix)
            )
            .encoded
            #expect(
                reading(of: line, &reader)
                    == .accepted(form: encoded.form, payload: encoded.payload),
                "seed \(seed): \(line)"
            )
        }
    }
}
