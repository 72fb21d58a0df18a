import Projections
import TripEvents
import TripLedger

extension Diagnostic {
    /// Says, if the ledger knows no vehicle of a name, that it does not, and which one may be
    /// meant.
    ///
    /// A vehicle is known if it is registered, its odometer was read or any trip names it. All
    /// trips are looked at only for one that is not known.
    static func noteIfUnknown(vehicle: String, in ledger: Ledger) throws {
        let known = try ledger.readNow { snapshot -> NameSet? in
            var known = NameSet(try snapshot.vehicles().names)
            var filter = TripFilter(limit: 1, includesUncounted: true, vehicle: vehicle)
            guard !known.contains(vehicle), try snapshot.trips(filter).isEmpty else { return nil }
            filter.vehicle = nil
            filter.limit = nil
            try snapshot.readTrips(filter) { trip in
                if let vehicle = trip.booked.details.vehicle { known.insert(vehicle) }
                return true
            }
            return known
        }
        guard let names = known?.names else { return }
        let hint =
            names.isEmpty
            ? "There is no vehicle yet; `ledger vehicle register` registers one"
            : LedgerError.hint(NearestNames(to: vehicle, among: names), "Known vehicles", names)
        note("no trip has the vehicle \(vehicle), and no vehicle of that name is registered", hint)
    }

    /// Says, if no source has a name, that none has, and which one may be meant.
    static func noteIfUnknown(source: String, in ledger: Ledger) throws {
        do {
            try ledger.readNow { try $0.requireSource(named: source) }
        } catch let error as LedgerError where error.code == .notFound {
            note(error.cause, error.hint)
        }
    }

    private static func note(_ sentence: String, _ hint: String) {
        note(sentence)
        say(Excerpt.escaped(hint) + ".\n")
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
