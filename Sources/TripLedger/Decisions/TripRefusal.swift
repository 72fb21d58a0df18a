import Projections
import TripEvents
import TripTracking

/// Why a decision about trips is not appended: it would not mean what it says.
struct TripRefusal {
    private let trip: Trip
    private let cause: String
    private let hint: String

    private init(_ booked: BookedTrip, _ cause: String, hint: String) {
        trip = booked.trip
        self.cause = cause
        self.hint = hint
    }

    /// Returns the refusal as the error of a decision.
    func error(_ code: LedgerError.Code) -> LedgerError {
        LedgerError(code, at: "trip \(Self.short(trip.id))", cause: cause, hint: hint)
    }

    private static func short(_ id: TripID) -> Substring { id.description.prefix(8) }

    private static func restore(_ id: TripID) -> String { "`ledger restore \(short(id))`" }
}

// MARK: - Splitting

extension TripRefusal {
    /// Refuses to split a trip that is not one measured drive, or returns `nil` if it is.
    init?(splitting booked: BookedTrip) {
        let undo = "Take that back with \(Self.restore(booked.id)) first, then split"
        if let lead = booked.mergedInto {
            self.init(booked, "it is a part of trip \(Self.short(lead))", hint: undo)
        } else if !booked.parts.isEmpty {
            self.init(booked, "it is made of \(booked.parts.count) trips", hint: undo)
        } else if booked.trip.startedBy == .report {
            let hint = "Void it, and report two trips"
            self.init(booked, "it was reported as a whole, without any fixes", hint: hint)
        } else if booked.status == .voided {
            self.init(booked, "it was voided", hint: undo)
        } else if booked.adjusted != nil {
            self.init(booked, "its distance was set by hand, for the whole trip", hint: undo)
        } else if booked.status == .abandoned {
            self.init(booked, "it came to nothing, so there is nothing to split", hint: "")
        } else {
            return nil
        }
    }

    /// Refuses to exclude something from a trip that is not one measured drive, or returns `nil` if
    /// it is.
    init?(excludingFrom booked: BookedTrip) {
        let undo = "Take that back with \(Self.restore(booked.id)) first, then exclude"
        if let lead = booked.mergedInto {
            self.init(booked, "it is a part of trip \(Self.short(lead))", hint: undo)
        } else if !booked.parts.isEmpty {
            self.init(booked, "it is made of \(booked.parts.count) trips", hint: undo)
        } else if booked.trip.startedBy == .report {
            let hint = "Say how far it went with `ledger adjust`"
            self.init(booked, "it was reported as a whole, without any fixes", hint: hint)
        } else if booked.status == .voided {
            self.init(booked, "it was voided", hint: undo)
        } else if booked.adjusted != nil {
            self.init(booked, "its distance was set by hand, for the whole trip", hint: undo)
        } else {
            return nil
        }
    }

    /// Refuses to exclude a stretch that ends before it begins, or where it begins.
    init(excludingBackwardsFrom booked: BookedTrip, _ from: EventTime, _ to: EventTime) {
        self.init(
            booked,
            "\(to.sentenceText(by: nil)) is not after \(from.sentenceText(by: nil))",
            hint: "Give the beginning of the stretch first, then its end"
        )
    }

    /// Refuses to exclude a stretch on which nothing was measured.
    init(excludingNothingFrom booked: BookedTrip) {
        self.init(
            booked,
            "nothing was measured on it between these times",
            hint: "`ledger explain \(Self.short(booked.id))` shows what each fix adds"
        )
    }

    /// Refuses a decision about a time of a clock that was changed on the trip's way.
    init(decidingWhileClocksChange booked: BookedTrip, from start: EventTime) {
        self.init(
            booked,
            "its clock was changed on the way, so that a time of day may mean two instants",
            hint: "Give the time with its offset, such as "
                + RFC3339.text(start.timestamp, utcOffset: start.utcOffset)
        )
    }

    /// Refuses to split a trip at a time at which it is not on its way, from its start to its end
    /// as its clock tells them.
    init(
        splitting booked: BookedTrip,
        outside time: EventTime?,
        from start: EventTime,
        to end: EventTime?
    ) {
        let shown = time?.sentenceText(by: nil) ?? "That day"
        let start = start.sentenceText(by: nil)
        let end = end.map { "to \($0.sentenceText(by: nil))" } ?? "and goes on"
        self.init(
            booked,
            "\(shown) is not on its way, which is from \(start) \(end)",
            hint: "Give a time after its first position and not after it last moved; "
                + "`ledger explain \(Self.short(booked.id))` shows its fixes"
        )
    }
}

extension EventTime {
    /// Returns the time as sentences have it: `2025-03-03 08:30:00 +01:00`, told by a clock.
    func sentenceText(by clock: LocalDay?) -> String {
        let time = told(by: clock)
        let full = RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
        let zone = time.utcOffset == nil ? "UTC" : String(full.dropFirst(23))
        return "\(full.prefix(10)) \(full.dropFirst(11).prefix(8)) \(zone)"
    }
}

// MARK: - Merging

extension TripRefusal {
    /// Refuses to merge trips, given in order of their starts, that cannot be one, or returns `nil`
    /// if they can.
    init?(merging trips: [BookedTrip]) {
        let refusal =
            trips.lazy.compactMap(Self.init(mergingAnyOf:)).first ?? Self.otherGroup(among: trips)
            ?? Self.neighbours(of: trips)
            ?? Self.overlap(of: trips)
        guard let refusal else { return nil }
        self = refusal
    }

    /// Refuses to merge trips of two groups of sources.
    private static func otherGroup(among trips: [BookedTrip]) -> TripRefusal? {
        guard let first = trips.first else { return nil }
        return trips.first { !$0.trip.group.hasSameBytes(as: first.trip.group) }
            .map { other in
                TripRefusal(
                    other,
                    "it belongs to another group than trip \(short(first.id))",
                    hint: "Only trips of one group are parts of one drive"
                )
            }
    }

    private init?(mergingAnyOf booked: BookedTrip) {
        switch booked.status {
        case .completed, .abandoned:
            return nil
        case .active:
            self.init(booked, "it is still going on", hint: "Merge it when it has ended")
        case .voided:
            let hint = "Bring it back with \(Self.restore(booked.id)) first"
            self.init(booked, "it was voided", hint: hint)
        case .merged:
            let lead = booked.mergedInto.map(Self.short) ?? ""
            self.init(
                booked,
                "it is a part of trip \(lead)",
                hint: "Name that one; the others join it"
            )
        }
    }

    /// Refuses a trip that is named twice, or two vehicles.
    private static func neighbours(of trips: [BookedTrip]) -> TripRefusal? {
        for (earlier, later) in zip(trips, trips.dropFirst()) {
            if earlier.id == later.id {
                return TripRefusal(later, "it is named twice", hint: "Name each trip once")
            }
            if let vehicle = earlier.details.vehicle, let other = later.details.vehicle,
                vehicle != other
            {
                return TripRefusal(
                    later,
                    "its vehicle is \(other), that of trip \(short(earlier.id)) is \(vehicle)",
                    hint: "If one of them is wrong, correct it with `ledger edit`"
                )
            }
        }
        return nil
    }

    /// Refuses trips that were under way at the same time.
    private static func overlap(of trips: [BookedTrip]) -> TripRefusal? {
        for (index, later) in trips.enumerated().dropFirst() {
            let start = later.trip.startedAt.timestamp
            let before = trips[..<index]
                .last { $0.trip.endedAt.map { $0.timestamp > start } ?? true }
            guard let before else { continue }
            return TripRefusal(
                later,
                "it starts before trip \(short(before.id)) ends, so a way would count twice",
                hint: "If both recorded the same drive, void one of them with `ledger void`"
            )
        }
        return nil
    }
}
