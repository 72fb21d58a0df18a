import EventStore
import TripEvents
import TripLedger

/// The rate tables in a log that could be mistaken for the program's own, as a check finds them.
///
/// `ledger rates load` refuses such a table unless it is told to take it. One that came as a line
/// of the log, from another ledger or by `append`, is stored unchanged, because the log keeps every
/// statement; so every check of the log reports it.
final class OwnTables {
    /// How many are named.
    private static let mostNamed = 10

    private var causes: [UInt64: String] = [:]

    /// What is said of them, each as a sentence without a full stop, in order of position.
    var claims: [String] {
        let named = causes.sorted { $0.key < $1.key }.prefix(Self.mostNamed).map(\.value)
        let more = causes.count - named.count
        guard more > 0 else { return named }
        return named + ["\(more) more tables of rates are the owner's own"]
    }

    /// Adds an entry; one that is met again replaces itself.
    func take(_ entry: EntryView, at position: UInt64) {
        guard entry.kind == EventKind.ratesLoaded.rawValue, !entry.isTombstone, !entry.isWithheld,
            // The number of the source says nothing here.
            let stored = try? StoredEvent(
                entry,
                at: position,
                source: RegisteredSource(name: "\(entry.source)")
            )
        else { return }
        take(stored)
    }

    /// Adds an event.
    func take(_ stored: StoredEvent) {
        guard case .ratesLoaded(let loaded) = stored.event.body, stored.event.group == nil,
            let cause = LoadedRates.mistakable(loaded)
        else { return }
        causes[stored.position] =
            "the rates \(Excerpt.escaped(loaded.table)) at position \(stored.position) are the "
            + "owner's own: \(cause)"
    }
}
