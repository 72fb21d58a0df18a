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
                cause: absence(of: name),
                hint: question(about: name)
                    ?? "Install the time zones of your system, such as the package tzdata, or use "
                    + "--time-zone UTC"
            )
        }
    }

    /// Returns why this machine cannot tell times in a zone, as a sentence without a full stop;
    /// `nil` if it can.
    ///
    /// It does not say what to do, because that takes a look at all zones.
    static func reason(against name: String) -> String? {
        do {
            _ = try MachineTimeZone.rules(of: name)
            return nil
        } catch let problem as TimeZoneProblem {
            return problem.description
        } catch {
            return absence(of: name)
        }
    }

    private static func absence(of name: String) -> String {
        "the time zone \(Excerpt.escaped(name)) is not there"
    }

    /// Returns the question whether another zone was meant, by its whole name or by the city that
    /// ends it: `Did you mean 'Europe/Berlin'?`; `nil` if no name is near.
    package static func question(about name: String) -> String? {
        let names = MachineTimeZone.names
        let written = name.split(separator: " ").joined(separator: "_")
        let city = city(of: written)
        let same = names.filter { self.city(of: $0).lowercased() == city.lowercased() }
        if !same.isEmpty { return question(same) }
        let whole = NearestNames(to: written, among: names).names
        if !whole.isEmpty { return question(whole) }
        let cities = NearestNames(to: city, among: names.map(self.city(of:))).names
        return question(names.filter { cities.contains(self.city(of: $0)) })
    }

    private static func question(_ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        return "Did you mean \(names.prefix(2).map { "'\($0)'" }.joined(separator: " or "))?"
    }

    /// Returns the last part of a zone's name.
    private static func city(of name: String) -> String {
        name.split(separator: "/").last.map(String.init) ?? name
    }
}
