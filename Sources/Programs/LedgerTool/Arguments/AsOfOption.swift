import ArgumentParser
import Platform
import TripEvents
import TripLedger

/// The option of commands that show trips as they are at a moment.
struct AsOfOption: ParsableArguments {
    @Option(help: ArgumentHelp("Let time pass to this moment, not to now.", valueName: "time"))
    var asOf: TypedTime?

    /// Returns the moment that is meant.
    func instant(in ledger: Ledger) throws -> Timestamp {
        try asOf?.time(in: ledger).timestamp ?? WallClock.now
    }

    /// Returns the unit of distances that the settings of a snapshot say for that moment.
    func units(of snapshot: borrowing Snapshot, in ledger: Ledger) throws -> DistanceUnit {
        snapshot.settings.units(at: try instant(in: ledger))
    }
}

extension Ledger {
    /// Reads the ledger as the time that has passed until now leaves it.
    func readNow<Result>(_ body: (borrowing Snapshot) throws -> Result) throws -> Result {
        try read(asOf: WallClock.now, body)
    }
}
