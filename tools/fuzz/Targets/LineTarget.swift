@testable import TripEvents

/// Lines of JSON, from their bytes to the payload of an entry.
///
/// A reader that was used before says what a new one says; a line that is accepted is JSON, and the
/// event it holds, written again, is read as the same event with the same payload.
enum LineTarget {
    private static let recordedAt = Timestamp(milliseconds: 1_767_225_600_000)

    /// A reader that has read nothing; to make one takes longer than to read a line.
    static let newReader = EventLineReader(acceptingReservedTypes: true)

    static func check(_ input: [UInt8]) {
        var used = newReader
        for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Array(line)
            var fresh = newReader
            let (first, second) = (read(line, with: &fresh), read(line, with: &used))
            expect(first == second, "a reader that was used before says \(second), not \(first)")
            let isJSON = (try? JSONValue(trimmed(line).span)) != nil
            guard case .success = first else { continue }
            expect(isJSON, "what is accepted is no JSON")
            expect(isSame(fresh.candidate, used.candidate), "a reader that was used reads wrong")
            checkAccepted(fresh.candidate)
        }
    }

    /// White space around a value is JSON's, and no part of it.
    private static func trimmed(_ line: [UInt8]) -> [UInt8] {
        let space = Array(" \t\r".utf8)
        let start = line.drop { space.contains($0) }
        return Array(start.reversed().drop { space.contains($0) }.reversed())
    }

    private static func checkAccepted(_ candidate: EventCandidate) {
        guard let event = try? candidate.event() else {
            fatalError("an accepted line has a payload that cannot be read")
        }
        let encoded = event.encoded
        expect(
            encoded.kind == candidate.kind.rawValue && encoded.form == candidate.form
                && encoded.payload == candidate.payload,
            "an event has two payloads: \(encoded) and \(candidate)"
        )
        var again: [UInt8] = []
        event.appendJSON(to: &again)
        var reader = newReader
        let outcome = read(again, with: &reader)
        guard case .success = outcome else {
            fatalError("what was accepted is refused when it is written again: \(outcome)")
        }
        expect(isSame(reader.candidate, candidate), "what is written again is another event")
        expect((try? reader.candidate.event()) == event, "what is written again is not the same")
    }

    private static func read(
        _ line: [UInt8],
        with reader: inout EventLineReader
    ) -> Result<EventKind, Rejection> {
        do throws(Rejection) {
            try reader.read(line.span, defaultSource: "phone", recordedAt: recordedAt)
            return .success(reader.candidate.kind)
        } catch {
            return .failure(error)
        }
    }

    private static func isSame(_ left: EventCandidate, _ right: EventCandidate) -> Bool {
        left.kind == right.kind && left.form == right.form
            && left.source.utf8.elementsEqual(right.source.utf8)
            && left.occurredAt == right.occurredAt && left.payload == right.payload
            && (!left.form.hasID || left.id == right.id)
    }
}
