package import Foundation
package import Testing

extension LedgerProcess {
    /// The answer to a line, as `--receipts` prints it.
    package struct LineAnswer: Decodable {
        package var line: Int
        package var receipt: String
        package var position: UInt64?
        package var of: UInt64?

        /// The position of the line's event in the log, if it is there.
        package var storedAt: UInt64? { position ?? of }
    }

    /// The last line of `ledger append`.
    package struct Summary: Decodable, Equatable {
        package var read: Int
        package var appended: Int
        package var duplicate: Int
        package var conflict: Int
        package var rejected: Int
        package var size: UInt64
        package var root: String
    }

    /// The description of every command by the argument parser, as JSON.
    ///
    /// `ledger` is asked once for all tests, for its answer takes half a second.
    package static let describedCommands = Result {
        try LedgerProcess().run("--experimental-dump-help").output
    }

    /// Runs `ledger init`.
    package func begin() throws {
        let outcome = try run("init")
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    /// Runs `ledger append` and returns its last line.
    @discardableResult
    package func append(_ input: Data) throws -> Summary {
        let outcome = try run(["append"], input: input)
        let last = try #require(outcome.lines.last, "\(outcome.errors)")
        return try JSONDecoder().decode(Summary.self, from: Data(last.utf8))
    }

    /// Runs `ledger append --receipts` and returns the answers to the lines.
    package func answers(to input: Data) throws -> [LineAnswer] {
        try run(["append", "--receipts"], input: input).lines.dropLast()
            .map { try JSONDecoder().decode(LineAnswer.self, from: Data($0.utf8)) }
    }

    /// Returns the lines of `ledger trips --all --format json` without the member `recorded`, which
    /// is all that depends on the order of arrival.
    package func tripsWithoutArrival() throws -> [String] {
        let outcome = try run("trips", "--all", "--format", "json")
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        return outcome.lines.map {
            let row = $0.replacing(/,"recorded":\{[^{}]*\}/, with: "")
            #expect(row != $0)
            return row
        }
    }

    /// Expects `ledger project --check` to find nothing.
    package func expectViewsConfirmed(
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try run("project", "--check")
        #expect(outcome.text == "", comment, sourceLocation: sourceLocation)
        #expect(outcome.exitCode == 0, comment, sourceLocation: sourceLocation)
    }
}
