import DriveSimulation
import Importers
import TestSupport
import Testing
import TripEvents

@Suite struct EventListReaderTests {
    /// Reads a text in pieces that end at these places.
    private func lines(_ text: String, cutAt places: [Int] = []) -> [String] {
        let bytes = Array(text.utf8)
        var reader = EventListReader()
        var batch = ImportBatch()
        var start = 0
        for end in places.sorted() + [bytes.count] {
            reader.take(bytes.span.extracting(start..<end), into: &batch)
            start = end
        }
        reader.finish(into: &batch)
        return batch.items.map { item in
            item.outcome == .event
                ? String(decoding: batch.bytes[item.range], as: UTF8.self) : "\(item.outcome)"
        }
    }

    @Test(arguments: [
        (#"{"type":"a"}"#, [#"{"type":"a"}"#]),
        (#" { "type" : "a" } {"type":"b"} "#, [#"{ "type" : "a" }"#, #"{"type":"b"}"#]),
        (#"[{"type":"a"},{"n":[1,{}]}]"#, [#"{"type":"a"}"#, #"{"n":[1,{}]}"#]),
        (#"{"events":[{"type":"a"}, 7],"more":1}"#, [#"{"type":"a"}"#, "7"]),
        (#"{"events":[]}"#, []), ("", []), ("[]", []),
        // An event may have a member of that name, if it is no list.
        (#"{"events":"a","type":"b"}"#, [#"{"events":"a","type":"b"}"#]),
    ])
    func `events stand alone, in a list, or in an object`(text: String, expected: [String]) {
        #expect(lines(text) == expected)
    }

    @Test(arguments: ["x", "[", "{\"events\":[{}", "[{},,{}]", "nonsense {}"])
    func `what is no JSON is said`(text: String) {
        #expect(lines(text).last?.hasPrefix("rejected(") == true)
    }

    @Test(arguments: Seeds.fresh(8))
    func `a body gives the same events however it is cut`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let events = DriveSimulator.drives(seed: seed, count: 1, fixesPerDrive: 5...20)
            .map(\.json)
        let text = "{\"events\" : [" + events.joined(separator: " ,\n") + "]}"
        let places = (0..<20).map { _ in Int.random(in: 0...text.utf8.count, using: &random) }
        #expect(lines(text, cutAt: places) == events, "seed \(seed)")
    }
}
