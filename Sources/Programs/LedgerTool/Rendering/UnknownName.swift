import Projections
import TripEvents
import TripLedger

/// The remark that a ledger does not know a name, with the name that may be meant.
struct UnknownName {
    /// What is unknown, as a sentence without a full stop.
    let sentence: String

    /// What may be meant.
    let hint: String
}

extension UnknownName {
    /// Creates the remark on a word that a filter uses; `nil` if any row has it.
    ///
    /// - Parameters:
    ///   - name: The word.
    ///   - names: The words that rows have; each may occur more than once.
    ///   - sentence: The sentence that no row has it, without a full stop.
    ///   - heading: The text before the list of existing words.
    ///   - none: The hint if there are no words.
    init?(
        _ name: String,
        among names: [String],
        _ sentence: String,
        heading: String,
        ifNone none: String
    ) {
        let known = NameSet(names)
        guard !known.contains(name) else { return nil }
        self.sentence = sentence
        let names = known.names
        hint =
            names.isEmpty
            ? none : LedgerError.hint(NearestNames(to: name, among: names), heading, names)
    }
}

extension Snapshot {
    /// Returns a remark if there is no vehicle of a name.
    ///
    /// A vehicle is known if it is registered, its odometer was read or any trip names it. All
    /// trips are read only for a vehicle that is not known otherwise.
    func unknown(vehicle: String) throws -> UnknownName? {
        var known = NameSet(try vehicles().names)
        var filter = TripFilter(limit: 1, includesUncounted: true, vehicle: vehicle)
        guard !known.contains(vehicle), try trips(filter).isEmpty else { return nil }
        filter.vehicle = nil
        filter.limit = nil
        try readTrips(filter) { trip in
            if let vehicle = trip.booked.details.vehicle { known.insert(vehicle) }
            return true
        }
        let names = known.names
        return UnknownName(
            sentence:
                "no trip has the vehicle \(vehicle), and no vehicle of that name is registered",
            hint: names.isEmpty
                ? "There is no vehicle yet; `ledger vehicle register` registers one"
                : LedgerError.hint(NearestNames(to: vehicle, among: names), "Known vehicles", names)
        )
    }

    /// Returns a remark if no source belongs to a group, or no trip has a vehicle or a driver.
    ///
    /// It reads all trips, so it MUST be called only if no trip was found.
    ///
    /// - Parameters:
    ///   - group: The group; `nil` for any.
    ///   - vehicle: The name of the vehicle; `nil` for any.
    ///   - driver: The name of the driver; `nil` for any.
    /// - Returns: The remark on the first of them that does not exist.
    /// - Throws: `.damaged`, `.inputOutput`.
    func unknown(
        group: GroupSelection?,
        vehicle: String? = nil,
        driver: String? = nil
    ) throws -> UnknownName? {
        if let name = group?.group {
            let unknown = UnknownName(
                name,
                among: try groupNames(),
                "no source belongs to the group \(name)",
                heading: "Known groups",
                ifNone: "No source belongs to a group yet; `ledger append --group` makes one"
            )
            if let unknown { return unknown }
        }
        if let vehicle, let unknown = try self.unknown(vehicle: vehicle) { return unknown }
        guard let driver else { return nil }
        let drivers = try self.drivers()
        var names: [String] = []
        try readTrips(TripFilter(includesUncounted: true)) { trip in
            if let name = drivers.driver(of: trip.booked) { names.append(name) }
            return true
        }
        return UnknownName(
            driver,
            among: names,
            "no trip has the driver \(driver)",
            heading: "Known drivers",
            ifNone: "No trip has a driver yet; `ledger edit TRIP --driver NAME` says who drove"
        )
    }

    /// Returns a remark if no source has a name.
    func unknown(source: String) throws -> UnknownName? {
        do {
            try requireSource(named: source)
            return nil
        } catch let error where error.code == .notFound {
            return UnknownName(sentence: error.cause, hint: error.hint)
        }
    }
}

extension Diagnostic {
    /// Says that a name is unknown, if it is.
    static func note(_ unknown: UnknownName?) {
        guard let unknown else { return }
        note(unknown.sentence)
        say(Excerpt.escaped(unknown.hint) + ".\n")
    }

    /// If the ledger knows no vehicle of a name, reports that and the name that may be meant.
    static func noteIfUnknown(vehicle: String, in ledger: Ledger) throws {
        note(try ledger.readNow { try $0.unknown(vehicle: vehicle) })
    }
}

/// Names, byte by byte, in the order in which they were found.
private struct NameSet {
    private(set) var names: [String] = []
    private var known: Set<[UInt8]> = []

    init(_ names: [String]) {
        for name in names { insert(name) }
    }

    mutating func insert(_ name: String) {
        if known.insert(Array(name.utf8)).inserted { names.append(name) }
    }

    func contains(_ name: String) -> Bool { known.contains(Array(name.utf8)) }
}
