import Importers
import Testing
import TripEvents

/// The result of an importer, as texts that can be compared.
struct Imported: Equatable {
    /// The lines of events.
    var events: [String] = []

    /// The rejections: `3 invalid_time`.
    var rejected: [String] = []

    /// The ignored records: `3 waypoint`.
    var ignored: [String] = []

    /// Reads an input that is cut into pieces which end at some positions.
    init(
        _ bytes: [UInt8],
        as format: ImportFormat,
        options: ImportOptions = ImportOptions(),
        cuts: [Int] = []
    ) throws {
        var importer = try #require(FileImporter(format, options: options))
        var batch = ImportBatch()
        var reader = EventLineReader(isStrict: true)
        var start = 0
        for cut in cuts + [bytes.count] {
            let piece = Array(bytes[start..<cut])
            importer.take(piece.span, into: &batch)
            take(batch, &reader)
            batch.removeAll()
            start = cut
        }
        importer.finish(into: &batch)
        take(batch, &reader)
    }

    /// Reads a text.
    init(
        _ text: String,
        as format: ImportFormat,
        options: ImportOptions = ImportOptions()
    ) throws {
        try self.init(Array(text.utf8), as: format, options: options)
    }

    private mutating func take(_ batch: ImportBatch, _ reader: inout EventLineReader) {
        for item in batch.items {
            let bytes = batch.bytes[item.range]
            switch item.outcome {
            case .event:
                events.append(String(decoding: bytes, as: UTF8.self))
                let line = Array(bytes)
                do throws(Rejection) {
                    try reader.read(line.span, recordedAt: Self.now)
                } catch {
                    rejected.append("\(item.record) \(error.code.rawValue)")
                    events.removeLast()
                }
            case .rejected(let rejection):
                rejected.append("\(item.record) \(rejection.code.rawValue)")
            case .ignored(let kind): ignored.append("\(item.record) \(kind)")
            }
        }
    }

    /// Later than everything that tests read.
    private static let now = Timestamp(milliseconds: 1_900_000_000_000)
}
