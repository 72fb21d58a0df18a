import DriveSimulation
import TestSupport
import Testing

@testable import TripEvents

@Suite struct EventMutationTests {
    private static let snippets: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "-", "0", "9", ".", "e", "\\u", "\\ud83d",
            "null",
            "true", "\u{0}", "\n", " ", "\"lat\":1,", "\u{E9}",
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]

    private func mutate(_ line: [UInt8], using generator: inout SplitMix64) -> [UInt8] {
        var line = line
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0...line.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where place < line.count:
                line[place] = UInt8(truncatingIfNeeded: generator.next())
            case 1 where place < line.count: line.remove(at: place)
            case 2: line.removeSubrange(place...)
            default:
                let snippet = Self.snippets[
                    Int.random(in: 0..<Self.snippets.count, using: &generator)
                ]
                line.insert(contentsOf: snippet, at: place)
            }
        }
        return line
    }

    @Test(arguments: EventKind.allCases)
    func `a damaged line is refused, or is another event`(kind: EventKind) throws {
        var reader = EventLineReader(acceptingReservedTypes: true)
        var refused = 0
        for seed in Seeds.fresh(20) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(kind)
            var original: [UInt8] = []
            event.appendJSON(to: &original)
            for _ in 0..<30 {
                let line = mutate(original, using: &random.generator)
                do throws(Rejection) {
                    let read = try reader.event(line.span, recordedAt: RandomEvents.recordedAt)
                    var again: [UInt8] = []
                    read.appendJSON(to: &again)
                    let second = try reader.event(again.span, recordedAt: RandomEvents.recordedAt)
                    #expect(
                        second == read,
                        "seed \(seed): \(String(decoding: line, as: UTF8.self))"
                    )
                } catch {
                    refused += 1
                    #expect(error.column.map { (1...line.count + 1).contains($0) } ?? true)
                    #expect(error.sentence.hasSuffix("."))
                }
            }
        }
        #expect(refused > 0)
    }

    @Test(arguments: EventKind.allCases)
    func `damaged bytes are refused, or are another event`(kind: EventKind) throws {
        for seed in Seeds.fresh(20) {
            var random = RandomEvents(seed: seed)
            let event = try random.event(kind)
            let encoded = event.encoded
            for _ in 0..<30 {
                let payload = mutate(encoded.payload, using: &random.generator)
                guard
                    let read = try? TripEvent(
                        decoding: payload.span,
                        kind: encoded.kind,
                        form: encoded.form,
                        source: event.source,
                        occurredAt: event.occurredAt,
                        id: event.id
                    )
                else { continue }
                let again = read.encoded
                let second = try TripEvent(
                    decoding: again.payload.span,
                    kind: again.kind,
                    form: again.form,
                    source: event.source,
                    occurredAt: event.occurredAt,
                    id: event.id
                )
                #expect(second == read, "seed \(seed)")
                _ = Fix(payload: payload.span, form: encoded.form, occurredAt: event.occurredAt)
            }
        }
    }
}
