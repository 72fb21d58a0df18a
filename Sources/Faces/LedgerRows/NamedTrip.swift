package import Geodesy
package import Projections
package import Tables
package import TripEvents
package import TripLedger
import TripTracking

/// A trip as booked, with the names of its ends: `trip.v1.schema.json`.
package struct NamedTrip: Sendable, Tabular {
    /// The trip.
    package let booked: BookedTrip

    /// The names of its ends; rows do not hold names.
    package let places: PlaceBook

    /// The straight line of the way before it that nothing recorded, if there is one.
    package let unrecorded: Distance?

    /// The trip with which it was made in one car, if there is one.
    package let overlap: TripOverlap?

    /// The inferences of other programs about its time.
    package let inferences: [ReportedInference]

    /// The files from which its entries come, if they were asked for.
    package let origins: TripOrigins

    /// When the ledger stored the last decision about it, if that was asked for.
    let decidedAt: Timestamp?

    /// Who drove it, if that is known.
    private let driver: String?

    /// Joins a trip with the names of places, the unrecorded way before it, the trip that it
    /// overlaps, other programs' inferences about its time, the files that it comes from, and the
    /// time when the ledger stored the last decision about it.
    package init(
        _ booked: BookedTrip,
        places: PlaceBook = PlaceBook(),
        unrecorded: Distance? = nil,
        overlap: TripOverlap? = nil,
        inferences: [ReportedInference] = [],
        origins: TripOrigins = TripOrigins(),
        drivers: DriverBook = DriverBook(),
        decidedAt: Timestamp? = nil
    ) {
        self.decidedAt = decidedAt
        self.origins = origins
        driver = drivers.driver(of: booked)
        self.booked = booked
        self.places = places
        self.unrecorded = unrecorded
        self.overlap = overlap
        self.inferences = inferences
    }

    /// Reads everything about one trip.
    ///
    /// - Parameters:
    ///   - reference: The trip that is meant.
    ///   - snapshot: Where it is read.
    /// - Throws: `.notFound` or `.ambiguous` if the reference does not name exactly one trip,
    ///   `.damaged`, `.inputOutput`.
    package init(
        _ reference: TripReference,
        in snapshot: borrowing Snapshot
    ) throws(LedgerError) {
        let booked = try snapshot.trip(reference).booked
        let (unrecorded, overlaps) = try snapshot.relateTrips(into: Distance?.none) {
            if $1.later.trip == booked.id { $0 = $1.distance }
        }
        self.init(
            booked,
            places: try snapshot.places(),
            unrecorded: unrecorded,
            overlap: overlaps[booked.id],
            inferences: Array(try snapshot.inferences(beside: booked).reversed()),
            origins: try snapshot.origins(of: booked),
            drivers: try snapshot.drivers()
        )
    }

    private var trip: Trip { booked.trip }

    /// Whether the trip counts in totals, where the better covered one of two counts.
    var counts: Bool { booked.counts && !(overlap?.isLeftOut ?? false) }

    /// The speed of light, in metres per second: higher limits of rules are shown as this.
    private static let highestShownSpeed = 299_792_458.0

    /// The columns; the distance that people see is the one that counts.
    package static let columns = Columns<NamedTrip> {
        Column.trip("id", "TRIP") { $0.trip.id }.identifying
        Column.time("started_at", "STARTED") { $0.trip.startedAt }
            .shown(as: { .dayAndMinute($0.trip.startedAt) })
        Column.time("ended_at") { $0.trip.endedAt }
        Column.shown("DURATION", .seconds) {
            $0.booked.durationMilliseconds.map { .duration($0) } ?? .none
        }
        .narrowing(.leaves(4))
        Column.distance("distance_m", "") { $0.trip.distance }
            .shown(as: { .distance($0.booked.claimedDistance) })
        Column("from", "FROM", .text) { Cell(.start(of: $0.booked, $0.places)) }
            .shown(as: { Cell(nearly: .start(of: $0.booked, $0.places)) })
        Column("to", "TO", .text) { Cell(.end(of: $0.booked, $0.places)) }
            .shown(as: { Cell(nearly: .end(of: $0.booked, $0.places)) })
        Column.shown("PURPOSE") { $0.purpose.map { .text($0) } ?? .none }
            .narrowing(.shortens(to: 7))
        Column.name("class", "CLASS") { $0.booked.tripClass.rawValue }
            .shown(onlyWhere: { $0.booked.tripClass != .unclassified })
        Column.name("waits_for") { $0.booked.missingDetail?.rawValue }.optional
        Column.shown("MARKS") { $0.marks }
            .optional
        Column.distance("adjusted_distance_m") { $0.booked.adjusted }.optional
        Column.distance("excluded_distance_m", "EXCLUDED") { $0.excluded }.optional
            .narrowing(.leaves(7))
        Column.boolean("measured") { $0.booked.isMeasured }
        Column.name("mode") { $0.booked.mode.rawValue }
        GapTotal.columns.of("gaps.") { $0.trip.gaps }
            .map {
                $0.shown(onlyWhere: { $0.trip.gaps.count > 0 })
                    .narrowing(.leaves($0.name == "gaps.meters" ? 5 : 1))
            }
        Column.distance("unrecorded_before_m", "UNRECORDED") { $0.unrecorded }.optional
            .narrowing(.leaves(6))
        Column.trip("overlaps", "OVERLAPS") { $0.overlap?.other.trip }.optional
            .narrowing(.leaves(2))
        Column.boolean("left_out") { ($0.overlap?.isLeftOut ?? false) ? true : nil }.optional
        Column.name("status", "STATUS") { $0.booked.status.rawValue }
            .shown(as: { $0.isPlain ? .none : .name($0.statusText) })
        Column.name("abandoned") { $0.booked.abandonReason?.rawValue }.optional
        Column.text("vehicle", "VEHICLE") { $0.booked.details.vehicle }.optional
            .narrowing(.leaves(3))
        Column.text("source", "SOURCE") { $0.trip.source }
            .narrowing(.leaves(0))
        Column.text("group", "GROUP") { $0.trip.group }.optional
            .narrowing(.leaves(1))
        figures
        details
    }
    .emphasizing {
        if $0.booked.status == .active { return .strong }
        return $0.counts ? .none : .faint
    }

    private static let figures = Columns<NamedTrip> {
        Column.name("measured_mode") { $0.measuredMode?.rawValue }.optional
        Column.name("started_by") { $0.trip.startedBy.rawValue }
        Column.name("ended_by") { $0.trip.endedBy?.rawValue }
        Column.place("start") { $0.trip.start }
        Column.place("end") { $0.trip.end }
        Column.text("start_place") { $0.places.start(of: $0.booked)?.name }
        Column.text("end_place") { $0.places.end(of: $0.booked)?.name }
        Column.text("imported_from") { $0.booked.importedFrom }.optional
        Column.rows("recorded_in", TripOrigin.columns) { $0.origins.files }
            .optional(onlyWhere: { !$0.origins.files.isEmpty })
        Column.duration("sampling_interval_s") { $0.trip.samplingMilliseconds }
        Column.thousandths("max_speed_mps") { named in
            let speed = min(named.trip.maximumSpeedMetersPerSecond, highestShownSpeed)
            return Int64((speed * 1_000).rounded())
        }
        Column.duration("moving_s") { $0.trip.movingMilliseconds }
        for verdict in Verdict.allCases {
            Column.integer("fixes.\(verdict.rawValue)") { $0.trip.fixes[verdict] }
        }
        Column.list("flags") { $0.booked.flagNames }
        Column.name("rules") { named in
            named.trip.startedBy == .report ? nil : named.trip.rules.rawValue
        }
        Column.instant("recorded.first_at") { $0.trip.recorded.firstAt }
        Column.instant("recorded.last_at") { $0.trip.recorded.lastAt }
        Column.instant("recorded.details_first_at") { $0.booked.detailsRecorded?.firstAt }.optional
        Column.instant("recorded.details_last_at") { $0.booked.detailsRecorded?.lastAt }.optional
    }

    private static let details = Columns<NamedTrip> {
        Column.trip("merged_into") { $0.booked.mergedInto }.optional
        Column.list("parts") { named in
            named.booked.parts.isEmpty ? nil : named.booked.shownTrips.map(\.description)
        }
        .optional
        Column.text("title") { $0.booked.details.title }.optional
        Column.text("purpose") { $0.booked.details.purpose }.optional
        Column.text("notes") { $0.booked.details.notes }.optional
        Column.text("category") { $0.booked.details.category }.optional
        Column.text("client") { $0.booked.details.client }.optional
        Column.text("driver") { $0.driver }.optional
        Column.text("from_address") { $0.places.startAddress(of: $0.booked) }.optional
        Column.text("to_address") { $0.places.endAddress(of: $0.booked) }.optional
        Column.text("routine") { $0.booked.routine }.optional
        Column.fields("fields") { $0.booked.details.fields }.optional
        Column.rows("inferences", ReportedInference.columns) { $0.inferences }
            .optional(onlyWhere: { !$0.inferences.isEmpty })
    }

    /// The distance that a person excluded.
    private var excluded: Distance? { trip.excluded == .zero ? nil : trip.excluded }

    /// Its purpose; its title if no purpose is set.
    private var purpose: String? { booked.details.purpose ?? booked.details.title }

    private var marks: Cell {
        let letters = TripMark.letters(of: self)
        return letters.isEmpty ? .none : .name(letters)
    }

    /// Whether it is completed and not left out, as most trips are.
    private var isPlain: Bool {
        booked.status == .completed && !(overlap?.isLeftOut ?? false)
    }

    /// The mode by the rules, if a person set another one.
    private var measuredMode: TravelMode? { booked.mode == trip.mode ? nil : trip.mode }

    /// The status, with the reason if the trip was discarded or is left out: `completed` alone if
    /// it counts.
    var statusText: String {
        let reason = overlap.map(\.isLeftOut) ?? false ? "left_out" : booked.abandonReason?.rawValue
        return booked.status.rawValue + (reason.map { " (\($0))" } ?? "")
    }
}

extension BookedTrip {
    /// The time from start to end in milliseconds; `nil` while it is active.
    package var durationMilliseconds: Int64? {
        trip.endedAt?.timestamp.milliseconds(since: trip.startedAt.timestamp)
    }
}

extension TripOrigin: Tabular {
    /// The records of a file that a trip was made of, in `trip.v1.schema.json`.
    package static let columns = Columns<TripOrigin> {
        Column.text("file") { $0.file.file }
        Column.text("file_part") { $0.file.filePart }.optional
        Column.name("format") { $0.file.format }
        Column.name("file_hash") { $0.file.fileHash }.optional
        Column.integer("first_record") { $0.records.lowerBound }
        Column.integer("last_record") { $0.records.upperBound }
        Column.integer("entries") { $0.entryCount }
    }

    /// For people: `track.gpx, records 12–340, SHA-256 …`.
    package var text: String {
        let part = file.filePart.map { "/" + $0 } ?? ""
        let (first, last) = (records.lowerBound, records.upperBound)
        let record = first == last ? "record \(first)" : "records \(first)–\(last)"
        let hash = file.fileHash.map { "SHA-256 \($0)" } ?? "which came through a pipe"
        return "\(Excerpt.escaped(file.file + part)), \(record), \(hash)"
    }
}

extension Snapshot {
    /// Hands over trips in order of their starts as lists show them, until `body` returns `false`.
    ///
    /// - Parameters:
    ///   - filter: Which trips.
    ///   - places: The places that give their ends names.
    ///   - drivers: The drivers of trips that do not name one.
    ///   - begin: Runs before the first trip, as in ``Snapshot/readTrips(_:_:forEach:)``.
    ///   - body: Takes a trip, and returns whether to go on.
    /// - Throws: `.notFound` if there is no trip to go on after; `.damaged`, `.inputOutput`, and
    ///   what `begin` and `body` throw.
    package func readNamedTrips(
        _ filter: TripFilter,
        _ places: PlaceBook,
        _ drivers: DriverBook,
        _ begin: () throws -> Void = {},
        forEach body: (NamedTrip) throws -> Bool
    ) throws {
        let (unrecorded, overlaps) = try relateTrips(into: [TripID: Distance]()) {
            $0[$1.later.trip] = $1.distance
        }
        try readTrips(filter, begin) { trip in
            try body(
                NamedTrip(
                    trip.booked,
                    places: places,
                    unrecorded: unrecorded[trip.trip.id],
                    overlap: overlaps[trip.trip.id],
                    drivers: drivers
                )
            )
        }
    }
}
