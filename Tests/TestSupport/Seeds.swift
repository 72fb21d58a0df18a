import Foundation
public import Testing

/// The seeds of property tests, and how long tests may take.
public enum Seeds {
    /// Whether this is the long form of the tests, which `tools/test --thorough` and `tools/check`
    /// run.
    public static let isThorough = ProcessInfo.processInfo.environment["LEDGER_THOROUGH"] == "1"

    /// Why a test that needs the long form is skipped.
    public static let onlyThorough: Comment = "runs with `tools/test --thorough`"

    /// The short form takes one seed in this many: most broken laws fail for most seeds, and every
    /// run has fresh seeds.
    private static let shortForm = 4

    /// Returns `count` seeds in the long form and a quarter of them, but at least one, in the short
    /// form.
    ///
    /// They follow `LEDGER_SEED` if it is set, and are fresh if not. A property test prints the
    /// seed of a failure; `LEDGER_SEED=<seed> tools/test` runs it again first.
    public static func fresh(_ count: Int) -> [UInt64] {
        all(isThorough ? count : max(1, count / shortForm))
    }

    /// Returns `count` seeds in both forms, for what a test says of all of them together.
    public static func all(_ count: Int) -> [UInt64] {
        let first =
            ProcessInfo.processInfo.environment["LEDGER_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64(UInt32.max))
        return (0..<UInt64(count)).map { first &+ $0 }
    }

    /// Returns all the cases in the long form, and a quarter of them in the short form.
    ///
    /// The first fresh seed decides which quarter.
    public static func sample<Case>(of cases: [Case]) -> [Case] {
        if isThorough { return cases }
        let start = fresh(1)[0]
        return cases.enumerated()
            .filter { (UInt64($0.offset) &+ start) % UInt64(shortForm) == 0 }
            .map(\.element)
    }
}
