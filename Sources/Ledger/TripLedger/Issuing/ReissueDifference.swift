import EventStore
import Projections
import Proofs
import TripEvents

/// Why a report that is made again is not the one that was issued.
public enum ReissueDifference: Hashable, Sendable {
    /// The log does not begin with the entries that the report was made from.
    case otherEntries

    /// Entries that it was made from were erased since: so many, at these positions.
    case erased(count: UInt64, positions: String)

    /// Entries that it was made from were withheld from this copy of the log.
    case withheld(count: UInt64, positions: String)

    /// Another version of the program made it; `nil` if it is not known which.
    case otherProgram(String?)

    /// The content is the same, but it was printed with other fonts, or by another ledger-print.
    case otherFonts

    /// The same entries, rates and program give other bytes.
    case otherMachine

    /// The reason as a sentence without a full stop.
    public var sentence: String {
        switch self {
        case .otherEntries:
            "the log does not begin with the entries that it was made from"
        case .erased(let count, let positions):
            "of the entries that it was made from, \(count) were erased since (\(positions))"
        case .withheld(let count, let positions):
            "of the entries that it was made from, \(count) were withheld from this copy "
                + "(\(positions))"
        case .otherProgram(let version?):
            "version \(version) of ledger made it, and this one makes it otherwise"
        case .otherProgram(nil):
            "it is not known which version of ledger made it"
        case .otherFonts:
            "what it says is the same, word by word, but the fonts of this machine or its "
                + "ledger-print are not those of then"
        case .otherMachine:
            "the entries, the rates and the version of ledger are the same: what this machine "
                + "knows of time zones may be other than it was"
        }
    }
}

extension Snapshot {
    /// Returns why a report is not made again as it was issued.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - program: The version of this program.
    /// - Returns: The reasons; at least one.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func differences(
        fromIssued report: IssuedReport,
        madeBy program: String
    ) throws(LedgerError) -> [ReissueDifference] {
        try asking {
            let size = report.head.size
            guard try beginsWith(report.head) else { return [.otherEntries] }
            var reasons: [ReissueDifference] = []
            let erased = FirstRanges(
                try erasedPositions(recordedFrom: size).intersection(RangeSet([0..<size]))
            )
            if erased.count > 0 {
                reasons.append(.erased(count: erased.count, positions: erased.text))
            }
            var withheld = FirstRanges()
            if try log.withheldCount() > 0 {
                try log.eachEntry(in: 0..<size) { entry, position in
                    if entry.isWithheld { withheld.append(position) }
                }
            }
            if withheld.count > 0 {
                reasons.append(.withheld(count: withheld.count, positions: withheld.text))
            }
            if report.content.programVersion != program {
                reasons.append(.otherProgram(report.content.programVersion))
            }
            return reasons.isEmpty ? [.otherMachine] : reasons
        }
    }

    /// Returns whether the log begins with the entries of a head.
    func beginsWith(_ head: LedgerHead) throws -> Bool {
        guard head.size <= self.head.size else { return false }
        return try LogTree(log).root(atSize: head.size).description == head.root
    }
}
