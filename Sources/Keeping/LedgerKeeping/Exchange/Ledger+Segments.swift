import EventStore
import Proofs
import TripEvents
package import TripLedger

extension Ledger {
    /// Writes the log as a stream of segments, frame by frame.
    ///
    /// - Parameters:
    ///   - from: The position of the first entry.
    ///   - classes: The classes of trips whose entries are exported as hashes only.
    ///   - groups: The only groups of sources whose entries are exported; empty for all.
    ///   - onProgress: Told how many entries of how many were written, now and then.
    ///   - write: Gets each frame.
    /// - Returns: The figures of the export.
    /// - Throws: `.damaged`, `.inputOutput`, and what `write` throws.
    func exportSegments(
        from: UInt64,
        withholding classes: Set<TripClass>,
        of groups: [String],
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void,
        pieces write: ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        let (head, hidden) = try scope(withholding: classes, of: groups)
        let header = try exportHeader(from: from, head, hidden, signedBy: nil)
        var builder = SegmentBuilder(
            after: MerkleFrontier(size: from, roots: header.frontier) ?? MerkleFrontier()
        )
        try write(SegmentHeader(ledger: founding.ledger, head: head).frame)
        var erased: UInt64 = 0
        do {
            try log.eachEntry(in: from..<head.size) { entry, position in
                let isHidden = !hidden.isEmpty && hidden.contains(position)
                if entry.isTombstone, !isHidden { erased += 1 }
                builder.append(entry, isWithheld: isHidden)
                guard builder.isFull, let segment = builder.take() else { return }
                try write(segment.frame)
                onProgress(position - from, head.size - from)
            }
        } catch let error as EventLogError {
            try LedgerError.translating(at: path) { throw error }
        }
        if let segment = builder.take() { try write(segment.frame) }
        try write(SegmentStream.end)
        return ExportSummary(header, erased: erased)
    }
}

extension SegmentDamage.Code {
    /// The code of the error that says so.
    package var errorCode: LedgerError.Code {
        switch self {
        case .badFrame: .badFrame
        case .gap: .gap
        case .wrongRoot: .wrongRoot
        case .truncated: .truncated
        case .unknownVersion: .unknownVersion
        }
    }
}
