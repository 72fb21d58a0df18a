import Foundation

/// The seeds of property tests.
public enum Seeds {
    /// Returns `count` seeds: those after `LEDGER_SEED` if it is set, else fresh ones.
    ///
    /// A property test prints the seed of a failure; `LEDGER_SEED=<seed> tools/test` runs it again
    /// first.
    public static func fresh(_ count: Int) -> [UInt64] {
        let first =
            ProcessInfo.processInfo.environment["LEDGER_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64(UInt32.max))
        return (0..<UInt64(count)).map { first &+ $0 }
    }
}
