import ArgumentParser
import Platform
import TripEvents
import TripLedger

/// The option of commands that show trips as they are at a moment.
struct AsOfOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let time pass to this moment instead of to now: a trip is over once silence, no "
                + "movement or a dead device has ended it by then. Times as in `ledger go --at`.",
            valueName: "time"
        )
    )
    var asOf: TypedTime?

    /// Returns the moment that is meant.
    func instant(in ledger: Ledger) throws -> Timestamp {
        try asOf?.time(in: ledger).timestamp ?? WallClock.now
    }
}

extension Ledger {
    /// Reads the ledger as the time that has passed until now leaves it.
    func readNow<Result>(_ body: (borrowing Snapshot) throws -> Result) throws -> Result {
        try read(asOf: WallClock.now, body)
    }
}
