import ArgumentParser
import TripLedger

/// Kinds of notifications, separated by commas, as in `trip_started,trip_ended`.
struct NotificationChoice: ExpressibleByArgument {
    /// Every name, as the help shows them.
    static let names = LedgerNotification.Kind.allCases.map(\.rawValue).sorted()

    /// The kinds.
    let kinds: Set<LedgerNotification.Kind>

    init?(argument: String) {
        var kinds: Set<LedgerNotification.Kind> = []
        for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = LedgerNotification.Kind(rawValue: String(name)) else { return nil }
            kinds.insert(kind)
        }
        self.kinds = kinds
    }
}
