import Importers
import TripEvents

/// Files of other apps, of one format each.
///
/// A file gives the same items, however it is cut, and each is an event that is read or refused.
enum ImportTarget {
    /// An item; the words of a rejection may differ, for Expat's do.
    private struct Item: Equatable {
        enum Outcome: Equatable {
            case event
            case rejected(RejectionCode)
            case ignored(String)
        }

        let record: Int
        let outcome: Outcome
        let bytes: [UInt8]

        init(_ item: ImportBatch.Item, of batch: ImportBatch) {
            record = item.record
            bytes = Array(batch.bytes[item.range])
            switch item.outcome {
            case .event: outcome = .event
            case .rejected(let rejection): outcome = .rejected(rejection.code)
            case .ignored(let kind): outcome = .ignored(kind)
            }
        }
    }

    /// The formats, each of which is a target of its own.
    static let formats = ImportFormat.allCases.filter { $0 != .jsonl }

    private static let now = Timestamp(milliseconds: 1_900_000_000_000)

    /// A file of unknown format, which is read as the format that it is recognised as.
    static func checkRecognition(_ file: [UInt8]) {
        guard let format = ImportFormat.recognized(in: file.span) else { return }
        check(file, as: format)
    }

    /// A map of columns, and behind a zero byte a table that is read by it.
    static func checkMap(_ input: [UInt8]) {
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let json = Array(parts[0])
        guard parts.count == 2, let map = try? ColumnMap(json: json.span) else { return }
        var options = ImportOptions()
        options.columnMap = map
        check(Array(parts[1]), as: .csv, options)
    }

    static func check(
        _ file: [UInt8],
        as format: ImportFormat,
        _ options: ImportOptions = ImportOptions()
    ) {
        let whole = items(of: file, as: format, options, pieceByteCount: file.count)
        // The input decides how it is cut: trying every way would take twice as long.
        let pieceByteCount = [1, 2, 7, 64][file.reduce(0) { $0 + Int($1) } % 4]
        let pieces = items(of: file, as: format, options, pieceByteCount: pieceByteCount)
        expect(whole == pieces, "\(format) is cut into others by \(pieceByteCount)")
        var reader = EventLineReader(isStrict: true)
        for item in whole where item.outcome == .event {
            do throws(Rejection) {
                try reader.read(item.bytes.span, recordedAt: now)
            } catch {
                // The members of a CloudEvent are its sender's; those of others are the importer's.
                let faults: [RejectionCode] =
                    format == .cloudevents
                    ? [.invalidJSON]
                    : [.invalidJSON, .unknownField, .wrongType, .missingField, .unknownType]
                expect(
                    !faults.contains(error.code),
                    "\(format) makes no event: \(error.sentence)"
                )
            }
        }
    }

    private static func items(
        of file: [UInt8],
        as format: ImportFormat,
        _ options: ImportOptions,
        pieceByteCount: Int
    ) -> [Item] {
        guard var importer = FileImporter(format, options: options) else { return [] }
        var batch = ImportBatch()
        var found: [Item] = []
        var start = 0
        while start < file.count {
            let end = min(file.count, start + max(1, pieceByteCount))
            importer.take(file.span.extracting(start..<end), into: &batch)
            take(batch, into: &found)
            batch.removeAll()
            start = end
        }
        importer.finish(into: &batch)
        take(batch, into: &found)
        return found
    }

    private static func take(_ batch: ImportBatch, into found: inout [Item]) {
        found += batch.items.map { Item($0, of: batch) }
    }
}
