import Proofs
import SystemPackage

@testable import LedgerKeeping
@testable import TripLedger

/// Exports in tiles of at most 255 entries: an input is how many (a byte), the lengths of header
/// and tile (two bytes each, lowest first), then the header, the tile and the bundle.
///
/// An export that is verified is written as the same tile and the same bundle, and has the root
/// that it says.
enum TileTarget {
    nonisolated(unsafe) private static var width = 0

    static func check(_ input: [UInt8]) {
        guard input.count >= 5, input[0] > 0 else { return }
        let rest = input.dropFirst(5)
        let header = rest.prefix(Int(input[1]) | Int(input[2]) << 8)
        let tile = rest.dropFirst(header.count).prefix(Int(input[3]) | Int(input[4]) << 8)
        let bundle = rest.dropFirst(header.count + tile.count)
        if width != Int(input[0]) {
            ScratchFiles.remove(path("0"))
            ScratchFiles.remove(path("entries"))
            width = Int(input[0])
        }
        ScratchFiles.write(Array(header) + [UInt8(ascii: "\n")], to: "export.json")
        ScratchFiles.write(tile, to: path("0"))
        ScratchFiles.write(bundle, to: path("entries"))
        guard
            let outcome = try? ExportVerification.outcome(ofExportAt: ScratchFiles.directory),
            outcome.verdict == .consistent
        else { return }
        guard let claimed = try? ExportHeader(Array(header).span) else {
            fatalError("an export without a header is verified")
        }
        // An empty log has no tiles; what lies there is not read.
        guard claimed.head.size > 0 else { return }
        checkVerified(claimed, tile: Array(tile), bundle: Array(bundle))
    }

    private static func checkVerified(_ header: ExportHeader, tile: [UInt8], bundle: [UInt8]) {
        var contents: [ExportedContent] = []
        var written: (tile: [UInt8], bundle: [UInt8]) = ([], [])
        do {
            try ExportReader(ScratchFiles.directory)
                .read { _ in
                } take: { content, _ in
                    contents.append(content)
                }
        } catch {
            fatalError("what is verified cannot be read: \(error)")
        }
        for (index, content) in contents.enumerated() {
            var entry: [UInt8] = []
            if case .entry(let bytes) = content { entry = bytes }
            written.bundle += [UInt8(entry.count >> 8), UInt8(entry.count & 255)] + entry
            written.tile += tile[index * 32..<index * 32 + 32]
        }
        expect(written.tile == tile && written.bundle == bundle, "tiles have hidden bytes")
        ExportTarget.checkRoot(of: contents, header)
    }

    private static func path(_ level: String) -> String {
        TileTree.path(level, 0, width: width)
    }
}
