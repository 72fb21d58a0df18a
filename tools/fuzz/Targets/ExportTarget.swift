import EventStore
import Proofs
import SystemPackage
import TripEvents

@testable import LedgerKeeping
@testable import TripLedger

/// Exports in lines of JSON.
///
/// A header is written as the same line; an export that is verified has as many entries as it
/// says, and their root.
enum ExportTarget {
    private static let name = "entries.jsonl"

    static func check(_ input: [UInt8]) {
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(Array.init)
        let header = lines.first.flatMap { try? ExportHeader($0.span) }
        if let header, let first = lines.first {
            expect(header.line == first, "a header is written as another")
        }
        let contents = lines.dropFirst().compactMap { try? ExportLine.content(of: $0.span) }
        // Without a header the rest is not read, and files take their time.
        guard header != nil else { return }
        ScratchFiles.write(input, to: name)
        let path = ScratchFiles.directory.appending(name)
        guard let outcome = try? ExportVerification.outcome(ofExportAt: path),
            outcome.verdict == .consistent
        else { return }
        guard let header else { fatalError("an export without a header is verified") }
        expect(UInt64(contents.count) == header.head.size - header.from, "entries are missing")
        if header.from == 0 { checkRoot(of: contents, header) }
    }

    /// Compares the root by the rule of RFC 6962 §2.1, which needs no frontier.
    static func checkRoot(of contents: [ExportedContent], _ header: ExportHeader) {
        let leaves = contents.map { content in
            switch content {
            case .withheld(let leaf): return leaf
            case .entry(let bytes):
                guard let entry = EntryView(startOf: bytes.span) else {
                    fatalError("an entry that is none is verified")
                }
                return entry.leafHash
            }
        }
        expect(root(leaves[...]) == header.head.root, "another root is verified")
    }

    private static func root(_ leaves: ArraySlice<Digest>) -> Digest {
        guard let first = leaves.first else { return MerkleFrontier.emptyRoot }
        guard leaves.count > 1 else { return first }
        var width = 1
        while width * 2 < leaves.count { width *= 2 }
        return SHA256.node(root(leaves.prefix(width)), root(leaves.dropFirst(width)))
    }
}
