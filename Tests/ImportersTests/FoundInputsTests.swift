import Foundation
import Importers
import Testing
import TripEvents

/// Inputs that once found a fault of a reader: `tools/fuzz/findings`.
@Suite struct FoundInputsTests {
    /// An input, and the format by which it is read.
    struct Found: CustomTestStringConvertible, Sendable {
        let format: ImportFormat
        let file: URL

        var testDescription: String { "\(format.rawValue) \(file.lastPathComponent)" }
    }

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appendingPathComponent("../../tools/fuzz/findings")

    static let all: [Found] = ImportFormat.allCases.flatMap { format in
        let folder = folder.appendingPathComponent("imports-\(format.rawValue)")
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        return (files ?? []).map { Found(format: format, file: $0) }
    }

    /// Returns what a file is read as, in pieces of a size.
    private static func items(
        of bytes: [UInt8],
        _ format: ImportFormat,
        in pieceByteCount: Int
    ) throws -> [String] {
        var importer = try #require(FileImporter(format, options: ImportOptions()))
        var found: [String] = []
        var batch = ImportBatch()
        func take() {
            for item in batch.items {
                let text = String(decoding: batch.bytes[item.range], as: UTF8.self)
                switch item.outcome {
                case .event: found.append("\(item.record): \(text)")
                case .rejected(let rejection): found.append("\(item.record): \(rejection.code)")
                case .ignored(let kind): found.append("\(item.record): \(kind)")
                }
            }
            batch.removeAll()
        }
        for start in stride(from: 0, to: bytes.count, by: pieceByteCount) {
            let end = min(bytes.count, start + pieceByteCount)
            importer.take(bytes.span.extracting(start..<end), into: &batch)
            take()
        }
        importer.finish(into: &batch)
        take()
        return found
    }

    @Test func `there are such inputs`() {
        #expect(Set(Self.all.map(\.format)).count >= 3)
    }

    @Test(arguments: all)
    func `they are read the same, however they are cut`(found: Found) throws {
        let bytes = [UInt8](try Data(contentsOf: found.file))
        let whole = try Self.items(of: bytes, found.format, in: max(1, bytes.count))
        #expect(!whole.isEmpty)
        for count in [1, 2, 3, 7, 64] {
            #expect(try Self.items(of: bytes, found.format, in: count) == whole, "by \(count)")
        }
    }
}
