import Geodesy
package import RowCoding
public import TripEvents
import TripTracking

/// Trips that were made in one car at one time: two recorders measured one drive, or a person
/// reported what a recorder measured, or the same twice.
public struct TripOverlaps: Hashable, Sendable {
    private let found: [TripID: TripOverlap]

    /// The trips that are left out, by those that count in their place.
    private var twins: [TripID: [BookedTrip]] = [:]

    /// What a person is asked about a trip that counts in the place of another one.
    public struct Question: Hashable, Sendable {
        /// What is asked about; the raw value is the name in JSON.
        public enum Subject: String, CaseIterable, Sendable {
            /// The two trips have different classes.
            case tripClass = "class"

            /// The two trips have different purposes.
            case purpose

            /// The two trips have different clients.
            case client

            /// Neither names a vehicle, which would say whether it is one drive.
            case vehicle
        }

        /// What is asked about.
        public let subject: Subject

        /// The trip that is left out.
        public let twin: TripID

        /// The source of that trip.
        public let source: String

        /// What that trip says; `nil` if it is asked about the vehicle.
        public let said: String?
    }

    /// No trips.
    public init() {
        found = [:]
    }

    fileprivate init(_ found: [TripID: TripOverlap]) {
        self.found = found
    }

    /// Whether there are none.
    public var isEmpty: Bool { found.isEmpty }

    /// The trips that overlap another, in order of their starts.
    public var all: [TripOverlap] {
        found.values.sorted { $0.ends.isBefore($1.ends) }
    }

    /// Returns these and others, of another group.
    fileprivate func joined(with others: TripOverlaps) -> TripOverlaps {
        TripOverlaps(found.merging(others.found) { found, _ in found })
    }

    /// The overlap of a trip with another one; `nil` if there is none.
    public subscript(trip: TripID) -> TripOverlap? { found[trip] }

    /// Notes the details of a trip that is left out, for the one that counts in its place.
    package mutating func give(detailsOf twin: BookedTrip) {
        guard let overlap = found[twin.id], overlap.isLeftOut else { return }
        twins[overlap.other.trip, default: []].append(twin)
    }

    /// Whether a trip that counts gets details from one that is left out.
    public var fillsTrips: Bool { !twins.isEmpty }

    /// The trips that count in the place of others, by their ends.
    package var counting: [TripEnds] {
        all.filter { twins[$0.ends.trip] != nil }.map(\.ends)
    }

    /// Returns the trip that counts in the place of one that is left out.
    public func counted(insteadOf trip: TripID) -> TripID? {
        found[trip].flatMap { $0.isLeftOut ? $0.other.trip : nil }
    }

    /// Returns a trip with details that it lacks, taken from the trips that are left out for it.
    ///
    /// Its own words, times and distance stay. A left-out trip of another class gives no details:
    /// those of a private trip do not belong to a business trip.
    public func filled(_ booked: BookedTrip) -> BookedTrip {
        guard let twins = twins[booked.id] else { return booked }
        var filled = booked
        for twin in twins where Self.difference(booked, twin)?.subject != .tripClass {
            filled.details = filled.details.over(twin.details)
            if filled.detailsRecorded == nil {
                filled.detailsRecorded = twin.detailsRecorded ?? twin.trip.recorded
            }
        }
        return filled
    }

    /// Returns whether a trip that counts and one that is left out for it differ in class, purpose
    /// or client.
    public func isContradicted(_ trip: BookedTrip) -> Bool {
        twins[trip.id]?.contains { Self.difference(trip, $0) != nil } ?? false
    }

    /// Returns what a person is asked about a trip that counts in the place of another one, as it
    /// is without the details that it gets from that; `nil` for nothing.
    public func question(about trip: BookedTrip) -> Question? {
        let twins = twins[trip.id] ?? []
        for twin in twins {
            guard let (subject, said) = Self.difference(trip, twin) else { continue }
            return Question(subject: subject, twin: twin.id, source: twin.trip.source, said: said)
        }
        let isOfNone = trip.details.vehicle == nil
        guard isOfNone, let twin = twins.first(where: { $0.details.vehicle == nil }) else {
            return nil
        }
        return Question(subject: .vehicle, twin: twin.id, source: twin.trip.source, said: nil)
    }

    /// Returns the first detail in which two trips of one drive differ, and the second trip's
    /// value; the case of letters makes no difference.
    private static func difference(
        _ trip: BookedTrip,
        _ twin: BookedTrip
    ) -> (subject: Question.Subject, said: String)? {
        let (own, others) = (trip.details, twin.details)
        let said: [(Question.Subject, String?, String?)] = [
            (.tripClass, own.tripClass?.rawValue, others.tripClass?.rawValue),
            (.purpose, own.purpose, others.purpose), (.client, own.client, others.client),
        ]
        for case (let subject, let own?, let other?) in said
        where !own.lowercased().hasSameBytes(as: other.lowercased()) {
            return (subject, other)
        }
        return nil
    }

    /// Whether a trip is left out of all sums.
    public func leaveOut(_ trip: TripID) -> Bool { found[trip]?.isLeftOut ?? false }
}

/// A trip that was made in the same car, at the same time, as another trip in the ledger.
public struct TripOverlap: Hashable, Sendable {
    /// The trip.
    public let ends: TripEnds

    /// The other one: of several the best covered.
    public let other: TripEnds

    /// Whether it is left out of all sums, because the other one counts, which is of the same
    /// vehicle.
    public let isLeftOut: Bool

    /// Whether the other one is left out of all sums.
    public let isOtherLeftOut: Bool

    /// The one of the two to void: it is left out, or less well covered.
    public var worse: TripEnds {
        guard isLeftOut == isOtherLeftOut else { return isLeftOut ? ends : other }
        return other.isBetterCovered(than: ends) ? ends : other
    }
}

/// How many trips overlap others.
public struct OverlapTotal: Hashable, Sendable {
    /// The number of trips that were made in one car with another one.
    public private(set) var count: Int64 = 0

    /// How many of them are left out of all sums.
    public private(set) var leftOut: Int64 = 0

    /// Creates the total of no trips.
    public init() {}

    /// Adds a trip.
    public mutating func add(_ overlap: TripOverlap) {
        count += 1
        if overlap.isLeftOut { leftOut += 1 }
    }

    /// Adds other trips.
    public static func += (total: inout OverlapTotal, other: OverlapTotal) {
        total.count += other.count
        total.leftOut += other.leftOut
    }
}

/// Finds trips that were made in one car by what two recorders measured, among trips that are given
/// in order of their starts, and of their ids where they start together.
///
/// Two measured trips of different sources overlap if they were less than 200 m apart at nearly all
/// instants at which both are known, and if they were on their way together for half of the shorter
/// one. Only trips that count are looked at. A trip that takes its distance from an odometer has a
/// known car: it overlaps the trips of that vehicle that were on their way at the same time for
/// half of the shorter one. Nothing is known of the way of a trip that a person or another program
/// reported: it overlaps those that were on their way at the same time for half of the shorter one,
/// of whatever source, unless both name a vehicle and these are two. Between the parts of a merged
/// trip nothing is on its way.
///
/// Of trips that overlap and name the same vehicle only the best evidenced counts, until a person
/// says which: by voiding one, or by naming another vehicle. Measured trips come before those by an
/// odometer, and these before reported ones; a reported trip of no known vehicle is left out, too.
/// A merged trip that is better evidenced by others for less than half of its time counts in their
/// place.
///
/// Trips of two groups of sources never overlap: each group is searched by itself.
package struct OverlapSearch {
    /// The searches of the groups so far, by the bytes of their names; the owner's has none.
    private var searches: [[UInt8]: GroupSearch] = [:]

    private let mostUnplaced: Int

    /// Creates a search that knows of no trip.
    ///
    /// - Parameter mostUnplaced: How many trips are compared without looking where they were.
    package init(mostUnplaced: Int = 32) {
        self.mostUnplaced = mostUnplaced
    }

    /// Takes the next trip.
    ///
    /// - Throws: `RowCodingError` if the sketch of a trip is damaged.
    package mutating func take(_ ends: TripEnds) throws(RowCodingError) {
        let group = ends.group.map { Array($0.utf8) } ?? []
        // Taken out, so that it is not copied when it changes.
        var search = searches.removeValue(forKey: group) ?? GroupSearch(mostUnplaced: mostUnplaced)
        defer { searches[group] = search }
        try search.take(ends)
    }

    /// The trips that overlap others of those that were taken.
    package func overlaps() -> TripOverlaps {
        let found = searches.values.map { $0.overlaps() }
        return found.dropFirst().reduce(found.first ?? TripOverlaps()) { $0.joined(with: $1) }
    }
}

/// The search for overlaps among the trips of one group.
private struct GroupSearch {
    /// How many trips are compared with the next one without looking where they were; nearly always
    /// there is no trip to compare.
    private let mostUnplaced: Int

    /// The most trips of one tile that are compared with the next one, the last to start: so many
    /// trips were not made in one car.
    private static let crowd = 64

    /// Trips that may still be on their way, in order of their starts.
    private var unplaced: [Candidate] = []

    /// The same, by the tiles through which they went, if they are many.
    private var placed: [Tile: [Candidate]] = [:]

    /// The same, without those that name no vehicle, by their vehicles.
    private var placedOfVehicle: [TripEnds.Line: [Candidate]] = [:]

    /// Those of them that name no vehicle.
    private var placedOfNone: [Candidate] = []

    /// The number of placed trips and their tiles, now and when trips that are over were last
    /// forgotten.
    private var placedCount = 0
    private var keptCount = 0

    private var pairs: [(TripEnds, TripEnds)] = []

    init(mostUnplaced: Int) {
        self.mostUnplaced = mostUnplaced
    }

    /// Takes the next trip.
    mutating func take(_ ends: TripEnds) throws(RowCodingError) {
        guard ends.counts else { return }
        let next = Candidate(ends)
        let start = ends.startedAt.timestamp
        unplaced.removeAll { $0.ends.endedAt <= start }
        for earlier in unplaced { try compare(earlier, next) }
        if placedCount > 0 { try compareWithPlaced(next) }
        unplaced.append(next)
        guard unplaced.count > mostUnplaced else { return }
        for trip in unplaced { try place(trip) }
        unplaced = []
    }

    /// The trips that overlap others of those that were taken.
    func overlaps() -> TripOverlaps {
        var neighbours: [TripID: [TripEnds]] = [:]
        var trips: [TripID: TripEnds] = [:]
        for (one, other) in pairs {
            neighbours[one.trip, default: []].append(other)
            neighbours[other.trip, default: []].append(one)
            trips[one.trip] = one
            trips[other.trip] = other
        }
        // From the best covered trip of a vehicle on, each counts that overlaps none that counts
        // already.
        let ranked = trips.values.sorted { $0.isBetterCovered(than: $1) }
        let alone = ranked.filter { $0.isMostlyAlone(among: neighbours[$0.trip] ?? []) }
        var leftOut: [TripID: TripEnds] = [:]
        var counting: Set<TripID> = []
        for trip in alone + ranked where !counting.contains(trip.trip) {
            let rival = neighbours[trip.trip]?
                .filter { $0.isOneDrive(with: trip) && counting.contains($0.trip) }
                .min { $0.isBetterCovered(than: $1) }
            if let rival {
                leftOut[trip.trip] = rival
            } else {
                counting.insert(trip.trip)
            }
        }
        var found: [TripID: TripOverlap] = [:]
        for (id, trip) in trips {
            let best = neighbours[id]?.min { $0.isBetterCovered(than: $1) }
            guard let other = leftOut[id] ?? best else { continue }
            found[id] = TripOverlap(
                ends: trip,
                other: other,
                isLeftOut: leftOut[id] != nil,
                isOtherLeftOut: leftOut[other.trip] != nil
            )
        }
        return TripOverlaps(found)
    }

    private mutating func compare(
        _ earlier: Candidate,
        _ later: Candidate
    ) throws(RowCodingError) {
        if try earlier.isInOneCar(with: later) { pairs.append((earlier.ends, later.ends)) }
    }

    private mutating func compareWithPlaced(_ next: Candidate) throws(RowCodingError) {
        let start = next.ends.startedAt.timestamp
        forgetPlaced(before: start)
        if next.ends.vehicle != nil, let others = placedOfVehicle[next.ends.line] {
            for earlier in others.suffix(Self.crowd)
            where earlier.ends.endedAt > start
                && (earlier.ends.isReported || next.ends.isReported)
            {
                try compare(earlier, next)
            }
        }
        // A reported trip and one of no known vehicle are one drive whatever the other one names.
        var open = placedOfNone.suffix(Self.crowd)
        if next.ends.vehicle == nil {
            for others in placedOfVehicle.values { open += others.suffix(Self.crowd) }
        }
        for earlier in open
        where earlier.ends.endedAt > start && (earlier.ends.isSaid || next.ends.isSaid) {
            try compare(earlier, next)
        }
        guard !next.ends.isReported else { return }
        var seen: Set<ObjectIdentifier> = []
        for tile in try next.tilesNearby() {
            for earlier in (placed[tile] ?? []).suffix(Self.crowd)
            where earlier.ends.endedAt > start && seen.insert(ObjectIdentifier(earlier)).inserted {
                try compare(earlier, next)
            }
        }
    }

    private mutating func place(_ trip: Candidate) throws(RowCodingError) {
        if trip.ends.vehicle != nil {
            placedOfVehicle[trip.ends.line, default: []].append(trip)
        } else {
            placedOfNone.append(trip)
        }
        placedCount += 1
        // It is not known where a reported trip went.
        guard !trip.ends.isReported else { return }
        for tile in try trip.tiles() {
            placed[tile, default: []].append(trip)
            placedCount += 1
        }
    }

    /// Forgets placed trips that are over, each time that twice as many were placed as remained.
    private mutating func forgetPlaced(before instant: Timestamp) {
        guard placedCount > 2 * keptCount + 1_000 else { return }
        placed = Self.left(of: placed, after: instant)
        placedOfVehicle = Self.left(of: placedOfVehicle, after: instant)
        placedOfNone.removeAll { $0.ends.endedAt <= instant }
        placedCount = placed.values.reduce(0) { $0 + $1.count }
        placedCount += placedOfVehicle.values.reduce(placedOfNone.count) { $0 + $1.count }
        keptCount = placedCount
    }

    private static func left<Key: Hashable>(
        of trips: [Key: [Candidate]],
        after instant: Timestamp
    ) -> [Key: [Candidate]] {
        trips.compactMapValues { trips in
            let left = trips.filter { $0.ends.endedAt > instant }
            return left.isEmpty ? nil : left
        }
    }
}

/// A square of some two kilometres, by the numbers of its row and column.
private struct Tile: Hashable {
    private static let degrees = 0.02
    private static let columns = 18_000

    /// More than the farthest that overlapping trips are apart, in degrees of latitude.
    private static let margin = 0.002

    let row: Int
    let column: Int

    /// The tile of a place.
    init(of place: Coordinate) {
        self.init(latitude: place.latitude, longitude: place.longitude)
    }

    private init(latitude: Double, longitude: Double) {
        row = Int((latitude / Self.degrees).rounded(.down))
        // Near the poles all meridians are near each other.
        guard abs(latitude) < 85 else {
            column = 0
            return
        }
        let number = Int((longitude / Self.degrees).rounded(.down))
        column = (number + 3 * Self.columns) % Self.columns
    }

    /// Returns the tiles of all places as near to a place as overlapping trips can be.
    static func near(_ place: Coordinate) -> Set<Tile> {
        // At 85° a degree of longitude is less than a twelfth of one at the equator.
        let isUsual = abs(place.latitude) < 60
        let width = isUsual ? 2 * margin : 12 * margin
        var tiles: Set<Tile> = []
        for latitude in [place.latitude - margin, place.latitude + margin] {
            for share in isUsual ? [-1, 1] : [-1, -0.5, 0, 0.5, 1] {
                tiles.insert(
                    Tile(latitude: latitude, longitude: place.longitude + share * width)
                )
            }
        }
        return tiles
    }
}

/// A trip that may overlap others, with what is known of its way once that is needed.
private final class Candidate {
    /// The farthest that two recorders in one car are apart, with the errors of both.
    private static let farthest = Distance(millimeters: 200_000)

    let ends: TripEnds
    private var known: [WaySketch.Point]?

    init(_ ends: TripEnds) {
        self.ends = ends
    }

    private func points() throws(RowCodingError) -> [WaySketch.Point] {
        if let known { return known }
        let points = try ends.way.points()
        known = points
        return points
    }

    /// The tiles through which it went, as far as is known.
    func tiles() throws(RowCodingError) -> Set<Tile> {
        Set(try points().map { Tile(of: $0.coordinate) })
    }

    /// The tiles in which others may have been near to it.
    func tilesNearby() throws(RowCodingError) -> Set<Tile> {
        try points().reduce(into: []) { $0.formUnion(Tile.near($1.coordinate)) }
    }

    /// Returns whether both were made in one car.
    func isInOneCar(with later: Candidate) throws(RowCodingError) -> Bool {
        let isSaid = ends.isSaid || later.ends.isSaid
        guard isSaid || !ends.isOfSource(of: later.ends) else { return false }
        let (time, laterTime) = (ends.travelTime, later.ends.travelTime)
        let together = time.milliseconds(with: laterTime)
        let shorter = min(time.milliseconds, laterTime.milliseconds)
        guard together > 0, 2 * together >= shorter else { return false }
        guard !isSaid else { return ends.isOneDrive(with: later.ends) }
        guard !ends.isByOdometer, !later.ends.isByOdometer else {
            return ends.isOfVehicle(of: later.ends)
        }
        let (one, other) = (try points(), try later.points())
        var (i, j) = (0, 0)
        var (common, near) = (0, 0)
        while i < one.count, j < other.count {
            if one[i].at < other[j].at {
                i += 1
            } else if other[j].at < one[i].at {
                j += 1
            } else {
                common += 1
                let distance = one[i].coordinate.distance(to: other[j].coordinate)
                if distance <= Self.farthest { near += 1 }
                i += 1
                j += 1
            }
        }
        return common > 1 && 10 * near >= 9 * common
    }
}

extension TripEnds {
    /// Whether the trip says more of the drive than another: it recorded it for longer.
    fileprivate func isBetterCovered(than other: TripEnds) -> Bool {
        if isSaid != other.isSaid { return other.isSaid }
        if coveredMilliseconds != other.coveredMilliseconds {
            return coveredMilliseconds > other.coveredMilliseconds
        }
        return isBefore(other)
    }

    /// Whether the trip is merged, and was under way for more than half of its time while none of
    /// the better covered trips of the same drive was: left out for one of them, it would take
    /// parts with it that nothing else recorded.
    fileprivate func isMostlyAlone(among neighbours: [TripEnds]) -> Bool {
        guard !pauses.isEmpty else { return false }
        let better = neighbours.filter {
            $0.isOneDrive(with: self) && $0.isBetterCovered(than: self)
        }
        let together = travelTime.milliseconds(withAnyOf: better.map(\.travelTime))
        return 2 * together < travelTime.milliseconds
    }

    fileprivate func isBefore(_ other: TripEnds) -> Bool {
        (startedAt.timestamp, trip) < (other.startedAt.timestamp, other.trip)
    }

    /// Whether one recorder measured both.
    fileprivate func isOfSource(of other: TripEnds) -> Bool {
        source.hasSameBytes(as: other.source)
    }

    /// Whether a person or another program reported it, so that nothing is known of its way.
    fileprivate var isSaid: Bool { isReported && !isByOdometer }

    /// Whether both count as one drive if they overlap: of one vehicle, or one of them is reported
    /// and one names no vehicle.
    fileprivate func isOneDrive(with other: TripEnds) -> Bool {
        guard vehicle != nil, other.vehicle != nil else { return isSaid || other.isSaid }
        return isOfVehicle(of: other)
    }

    /// Whether both name the same vehicle.
    fileprivate func isOfVehicle(of other: TripEnds) -> Bool {
        other.vehicle.map { isOf(vehicle: $0) } ?? false
    }
}
