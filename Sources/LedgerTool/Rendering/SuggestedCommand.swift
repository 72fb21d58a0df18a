import Platform
import Projections
import RowFormats
import TripEvents
import TripLedger
import TripTracking

/// What a driver may want to do next: the command, ready to be typed.
struct SuggestedCommand {
    /// The command.
    let text: String

    /// Finds the command for what a source is doing.
    init(_ source: LedgerStatus.Source) {
        let option =
            source.name == Self.ownSource ? "" : " --source \(ShellWord.quoted(source.name))"
        switch source.live.phase {
        case .idle: text = "ledger go\(option)"
        case .arming, .tracking, .signalLost: text = "ledger stop\(option)"
        case .recovering: text = "ledger recover resume \(Self.short(source.live.trip?.id))"
        case .details:
            let trip = Self.short(source.awaited?.id ?? source.live.awaitedTrip)
            text = "ledger edit \(trip) --purpose WHAT"
        }
    }

    /// The source of commands that name none.
    private static let ownSource = "manual"

    private static func short(_ trip: TripID?) -> String {
        trip?.short ?? "last"
    }
}
