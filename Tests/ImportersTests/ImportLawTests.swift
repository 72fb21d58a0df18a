import DriveSimulation
import Importers
import TestSupport
import Testing
import TripEvents

/// Laws that hold for every format.
@Suite struct ImportLawTests {
    private static let formats = ImportFormat.allCases.filter { $0 != .jsonl }

    private static let formatsOfFixes =
        formats
        .filter { ![.mileiq, .everlance, .driversnote].contains($0) }

    private static let car = ImportOptions(source: "car")

    private func drives(_ seed: UInt64) -> DrivesInFormats {
        DrivesInFormats(
            Array(DriveSimulator.drives(seed: seed, count: 2, fixesPerDrive: 20...60))
        )
    }

    @Test(arguments: Seeds.fresh(20), formatsOfFixes)
    func `a drive in any format gives its fixes`(seed: UInt64, format: ImportFormat) throws {
        let drives = drives(seed)
        let imported = try Imported(drives.bytes(format), as: format, options: Self.car)
        #expect(imported.rejected.isEmpty && imported.ignored.isEmpty, "seed \(seed)")
        // Fixes of one second are numbered.
        let events = imported.events.map { $0.replacing(/,"sequence":\d+/, with: "") }
        #expect(events == drives.expected(format), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(20), formats)
    func `an input gives the same, however it is cut`(seed: UInt64, format: ImportFormat) throws {
        var random = SplitMix64(seed: seed)
        var bytes = drives(seed).bytes(format)
        // Faults of all kinds: they must be found at the same place.
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let position = bytes.indices.randomElement(using: &random) ?? 0
            bytes[position] = UInt8.random(in: 0...255, using: &random)
        }
        let marks: [[UInt8]] = [
            [], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0xEF], [0x0A],
        ]
        bytes = (marks.randomElement(using: &random) ?? []) + bytes
        let whole = try Imported(bytes, as: format)
        for _ in 0..<8 {
            let cuts = (0..<Int.random(in: 1...30, using: &random))
                .map { _ in Int.random(in: 0...bytes.count, using: &random) }
            let cut = try Imported(bytes, as: format, cuts: cuts.sorted())
            #expect(cut == whole, "seed \(seed)")
        }
        let everywhere = try Imported(bytes, as: format, cuts: Array(bytes.indices))
        #expect(everywhere == whole, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(40), formats)
    func `no input makes an importer fail`(seed: UInt64, format: ImportFormat) throws {
        var random = SplitMix64(seed: seed)
        var bytes = drives(seed).bytes(format)
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...20, using: &random))
            let noise = (0..<Int.random(in: 0...20, using: &random))
                .map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes.replaceSubrange(start..<end, with: noise)
            guard bytes.count > 1 else { break }
        }
        let imported = try Imported(bytes, as: format)
        // The same faults are found again.
        #expect(try Imported(bytes, as: format) == imported, "seed \(seed)")
    }

    @Test(arguments: formats)
    func `a format is recognised by its content`(format: ImportFormat) {
        let bytes = drives(7).bytes(format)
        #expect(ImportFormat.recognized(in: bytes.span) == format)
        // FIT is no text, which could have a mark.
        if format == .fit { return }
        let marked = [0xEF, 0xBB, 0xBF] + bytes
        #expect(ImportFormat.recognized(in: marked.span) == format)
    }

    @Test func `an iPhone's Timeline is recognised by a ride, before any stay or path`() {
        let ride =
            #"[{"startTime":"2025-03-03T08:00:00Z","endTime":"2025-03-03T09:00:00Z","#
            + #""activity":{"start":"geo:52,4","topCandidate":{"type":"in bus"}}}]"#
        let bytes = Array(ride.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .google)
    }

    @Test func `the ledger's own lines are recognised, and nothing else is`() {
        func recognized(_ text: String) -> ImportFormat? {
            let bytes = Array(text.utf8)
            return ImportFormat.recognized(in: bytes.span)
        }
        let line = #"{"type":"go_pressed","source":"a","occurred_at":"2025-03-05T08:00:00Z"}"#
        #expect(recognized(line + "\n") == .jsonl)
        #expect(recognized("\n\n" + line) == .jsonl)
        for text in ["", "\n", "hello", "{}", "[]", "<html/>", "a,b,c\n1,2,3", "$", "\u{FEFF}"] {
            #expect(recognized(text) == nil, "\(text)")
        }
    }
}
