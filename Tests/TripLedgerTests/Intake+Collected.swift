import Foundation
import LedgerTestSupport
import Platform
import SystemPackage
import TestSupport
import TripEvents

@testable import TripLedger

extension Intake {
    /// The output of an intake: every answer in order, the number of commits, and the sums.
    struct Collected {
        var receipts: [LineReceipt] = []

        /// How many lines had been answered after each commit.
        var commits: [Int] = []

        var summary: IntakeSummary
    }

    /// A box for what the closures of an intake are told.
    private final class Told {
        var receipts: [LineReceipt] = []
        var commits: [Int] = []
    }

    /// Reads files with these contents into a ledger, one after the other.
    static func collect(
        _ contents: [String],
        into book: TemporaryLedger,
        options: IntakeOptions = IntakeOptions()
    ) throws -> Collected {
        let directory = try TemporaryDirectory()
        let told = Told()
        var intake = try Intake(
            into: book.ledger,
            options: options,
            now: { book.now },
            onReceipt: { told.receipts.append($0) },
            onProgress: { told.commits.append($0.lines) }
        )
        for (index, content) in contents.enumerated() {
            let path = directory.path("\(index)")
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            try intake.take(InputStream(at: FilePath(path)), named: "\(index)")
        }
        try intake.finish()
        return Collected(
            receipts: told.receipts,
            commits: told.commits,
            summary: intake.summary
        )
    }
}
