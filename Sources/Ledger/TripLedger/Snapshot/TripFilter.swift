public import Projections
public import TripEvents
import TripTracking

/// A choice of trips.
public struct TripFilter: Hashable, Sendable {
    /// The most trips; `nil` for all.
    public var limit: Int?

    /// The local days on which they start; `nil` for all.
    public var period: LocalPeriod?

    /// The only class; `nil` for all.
    public var tripClass: TripClass?

    /// The only vehicle, byte by byte; `nil` for all trips.
    public var vehicle: String?

    /// The only driver, byte by byte; `nil` for all trips.
    public var driver: String?

    /// Who drove trips that do not say it.
    public var drivers = DriverBook()

    /// The only trip; `nil` for all.
    public var trip: TripID?

    /// The name of the only source, byte by byte; `nil` for all.
    public var source: String?

    /// The only group of sources; `nil` for all.
    public var group: GroupSelection?

    /// Whether trips are listed too that were discarded, were voided or are parts of others.
    public var includesUncounted: Bool

    /// The names of places; trips must start or end at one of them.
    ///
    /// An empty list allows all trips.
    public var eitherPlaces: [String]

    /// The names of the only places at which they start; none for all.
    public var startPlaces: [String]

    /// The names of the only places at which they end; none for all.
    public var endPlaces: [String]

    /// The only purpose, byte by byte; `nil` for all.
    public var purpose: String?

    /// The words that trips must have; `nil` for all trips.
    public var text: TextSearch?

    /// The only status; `nil` for all that are listed.
    ///
    /// It selects among the trips that ``includesUncounted`` lets through.
    public var status: BookedStatus?

    /// Whether only trips are listed whose routine applies by itself, and was applied by no person.
    public var isByRule = false

    /// Whether only trips are listed that count and still lack a person's details.
    ///
    /// A trip that is left out for another one does not wait, because the other one has its
    /// details. If the two differ in class, purpose or client, the other one waits for a person's
    /// decision.
    public var waitsForDetails = false

    /// The trips that are in the book twice, for ``waitsForDetails``.
    public var overlaps = TripOverlaps()

    /// The names of places.
    public var places: PlaceBook

    /// The trip after which the list goes on, whether it is listed itself or not; `nil` to begin.
    public var after: TripReference?

    /// Whether the oldest trip comes first and not the newest.
    public var isOldestFirst: Bool

    /// Creates a filter; without arguments it lets every trip through that counts, or will.
    public init(
        limit: Int? = nil,
        includesUncounted: Bool = false,
        period: LocalPeriod? = nil,
        tripClass: TripClass? = nil,
        vehicle: String? = nil,
        eitherPlaces: [String] = [],
        startPlaces: [String] = [],
        endPlaces: [String] = [],
        purpose: String? = nil,
        places: PlaceBook = PlaceBook(),
        after: TripReference? = nil,
        isOldestFirst: Bool = false,
        source: String? = nil,
        group: GroupSelection? = nil
    ) {
        self.limit = limit
        self.period = period
        self.tripClass = tripClass
        self.vehicle = vehicle
        self.includesUncounted = includesUncounted
        self.eitherPlaces = eitherPlaces
        self.startPlaces = startPlaces
        self.endPlaces = endPlaces
        self.purpose = purpose
        self.places = places
        self.after = after
        self.isOldestFirst = isOldestFirst
        self.source = source
        self.group = group
    }

    /// Returns whether a trip is listed.
    func includes(_ booked: BookedTrip) -> Bool {
        (trip.map { booked.id == $0 } ?? true)
            && (includesUncounted || booked.counts || booked.status == .active)
            && (status.map { booked.status == $0 } ?? true)
            && (!waitsForDetails || waits(booked))
            && (!isByRule || booked.flags.contains(.byRule))
            && (tripClass == nil || booked.tripClass == tripClass)
            && (group.map { $0.includes(booked.trip.group) } ?? true)
            && (source.map { booked.trip.source.hasSameBytes(as: $0) } ?? true)
            && (vehicle.map { booked.isOf(vehicle: $0) } ?? true)
            && (driver.map { drivers.driver(of: booked).hasSameBytes(as: $0) } ?? true)
            && (period.map { $0.contains(booked.trip.startedAt) } ?? true)
            && (purpose.map { booked.details.purpose?.hasSameBytes(as: $0) ?? false } ?? true)
            && isAtPlaces(booked)
            && (text?.isMet(by: booked, places) ?? true)
    }

    private func waits(_ booked: BookedTrip) -> Bool {
        guard !overlaps.leaveOut(booked.id) else { return false }
        return overlaps.filled(booked).missingDetail != nil
            || overlaps.question(about: booked) != nil
    }

    private func isAtPlaces(_ booked: BookedTrip) -> Bool {
        guard !(startPlaces.isEmpty && endPlaces.isEmpty && eitherPlaces.isEmpty) else {
            return true
        }
        let start = places.start(of: booked)?.name
        let end = places.end(of: booked)?.name
        return (startPlaces.isEmpty || Self.isOne(of: startPlaces, start))
            && (endPlaces.isEmpty || Self.isOne(of: endPlaces, end))
            && (eitherPlaces.isEmpty || Self.isOne(of: eitherPlaces, start)
                || Self.isOne(of: eitherPlaces, end))
    }

    private static func isOne(of names: [String], _ name: String?) -> Bool {
        guard let name else { return false }
        return names.contains { $0.hasSameBytes(as: name) }
    }
}

/// A detail of a trip that a person still has to enter; the raw value is its name in JSON.
public enum MissingDetail: String, CaseIterable, Sendable {
    /// Its class.
    case tripClass = "class"

    /// The purpose of a business trip.
    case purpose
}

extension BookedTrip {
    /// The detail that a person still has to enter: its class, or for a business trip its purpose;
    /// `nil` if none is missing, or if the trip does not count.
    public var missingDetail: MissingDetail? {
        guard counts else { return nil }
        switch tripClass {
        case .unclassified: return .tripClass
        case .business: return details.purpose == nil && details.title == nil ? .purpose : nil
        case .commute, .personal, .medical, .charity, .moving, .mixed: return nil
        }
    }
}

/// How a person names a trip.
public enum TripReference: Hashable, Sendable {
    /// The trip that started last among those that count or are going on.
    case last

    /// The trip that is going on; if several are, the one that started last.
    case active

    /// The trip whose id begins with these hexadecimal digits.
    case prefix(String)

    /// Reads `last`, `active` or the beginning of an id, or returns `nil` if `text` is none of
    /// them.
    public init?(_ text: String) {
        switch text {
        case "last": self = .last
        case "active": self = .active
        default:
            let digits = text.lowercased()
            guard (1...32).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else {
                return nil
            }
            self = .prefix(digits)
        }
    }

    /// Whether it is the beginning of an id, and not a whole one.
    package var isAbbreviated: Bool {
        if case .prefix(let digits) = self { digits.utf8.count < 32 } else { false }
    }
}

/// A search for words in what trips say.
public struct TextSearch: Hashable, Sendable {
    /// The words, in small letters; each must occur.
    private let words: [String]

    /// Reads the words of a text, between which there is white space.
    public init(_ text: String) {
        words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Whether there is no word: every trip meets such a search.
    package var isEmpty: Bool { words.isEmpty }

    /// Returns whether each word occurs in one of some texts, in small letters or capital ones.
    func isMet(by texts: [String?]) -> Bool {
        let texts = texts.compactMap { $0?.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }

    /// Returns whether each word occurs in what a trip says: what it was for, with whom and by
    /// what, its notes and fields, and what its ends are called.
    func isMet(by booked: BookedTrip, _ places: PlaceBook) -> Bool {
        let details = booked.details
        let fields = details.fields?.all ?? []
        return isMet(
            by: [
                details.title, details.purpose, details.client, details.category, details.notes,
                details.vehicle, details.driver, booked.routine, booked.origin, booked.destination,
                booked.originAddress, booked.destinationAddress,
                places.start(of: booked)?.name, places.end(of: booked)?.name,
            ]
                + fields.map { field in
                    if case .text(let text) = field.value { text } else { nil }
                }
        )
    }
}
