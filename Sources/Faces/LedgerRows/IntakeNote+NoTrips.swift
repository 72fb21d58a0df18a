package import TripEvents
package import TripLedger

extension IntakeNote {
    /// The most sources that are named.
    private static let mostSources = 3

    /// The most earlier entries that may be read for the sake of a note.
    private static let mostEntriesBehind: UInt64 = 10_000

    /// Returns notes on fixes that were stored and make no trip, because movement starts no trip by
    /// the rules of their sources.
    ///
    /// It looks at the views only if there may be something to say, and then does the update that
    /// the next reader would do. An error here does not undo what is stored.
    ///
    /// - Parameters:
    ///   - summary: The sums over what was stored.
    ///   - ledger: The ledger.
    ///   - sight: The part of it that the sender sees.
    ///   - now: The present.
    /// - Returns: A note for each source.
    package static func aboutNoTrips(
        after summary: IntakeSummary,
        in ledger: Ledger,
        seenBy sight: Sight,
        asOf now: Timestamp
    ) -> [IntakeNote] {
        guard summary.hasOnlyFixes, summary.appended >= LedgerStatus.fixesOfADrive,
            let lag = try? ledger.lag() ?? summary.head.size,
            lag <= UInt64(summary.appended) + mostEntriesBehind,
            let status = try? ledger.read(asOf: now, seenBy: sight, { try $0.status(asOf: now) })
        else { return [] }
        return status.sources.filter(\.needsStartsByMovement).prefix(mostSources)
            .map { source in
                IntakeNote(
                    kind: "no_trips",
                    text: "\(Excerpt.escaped(source.name)): \(SourceActivity.reason(source)); "
                        + "`\(SuggestedCommand(source).text)` starts trips by movement"
                )
            }
    }
}
