import Platform
import SystemPackage
public import TripEvents

extension TimeZoneRules {
    /// Returns the rules of a zone as the machine's tz database has them; UTC needs none.
    ///
    /// - Parameter name: the zone's IANA name, such as `Europe/Amsterdam`.
    /// - Returns: the zone's rules.
    /// - Throws: `.unreadableInput` if the machine does not know the zone, or its file is damaged.
    public static func ofMachine(named name: String) throws(LedgerError) -> TimeZoneRules {
        do {
            return try MachineTimeZone.rules(of: name)
        } catch let problem as TimeZoneProblem {
            throw LedgerError(
                .unreadableInput,
                at: MachineTimeZone.database.appending(name).string,
                cause: problem.description,
                hint: "Install the time zones of your system again, or use --time-zone UTC"
            )
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: MachineTimeZone.database.string,
                cause: "the time zone \(name) is not there",
                hint: "Install the time zones of your system, such as the package tzdata, or use "
                    + "--time-zone UTC"
            )
        }
    }
}
