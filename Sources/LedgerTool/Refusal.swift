import Projections
import TripEvents
import TripLedger
import TripTracking

/// Why a decision about trips is not taken down: it would not mean what it says.
struct Refusal {
    private let trip: Trip
    private let cause: String
    private let hint: String

    private init(_ booked: BookedTrip, _ cause: String, hint: String) {
        trip = booked.trip
        self.cause = cause
        self.hint = hint
    }

    /// The refusal for the person at the terminal.
    var error: LedgerError {
        LedgerError(.notFound, at: "trip \(Self.short(trip.id))", cause: cause, hint: hint)
    }

    private static func short(_ id: TripID) -> Substring { id.description.prefix(8) }

    private static func restore(_ id: TripID) -> String { "`ledger restore \(short(id))`" }
}

extension Refusal {
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

    /// Refuses to split a trip at a time of a clock that was changed on its way.
    init(splittingWhileClocksChange booked: BookedTrip) {
        self.init(
            booked,
            "its clock was changed on the way, so that a time of day may mean two instants",
            hint: "Give the time with its offset, such as "
                + RFC3339.text(
                    booked.trip.startedAt.timestamp,
                    utcOffset: booked.trip.startedAt.utcOffset
                )
        )
    }

    /// Refuses to split a trip at a time at which it is not on its way.
    init(splitting booked: BookedTrip, outside time: TripTime) {
        let start = booked.trip.startedAt
        let instant = time.time(onTripFrom: start, to: booked.trip.endedAt)
        let shown = instant.map { LocalTime.text($0) } ?? "That day"
        let end = booked.trip.endedAt.map { "to \(LocalTime.text($0))" } ?? "and goes on"
        self.init(
            booked,
            "\(shown) is not on its way, which is from \(LocalTime.text(start)) \(end)",
            hint: "Give a time after its first position and not after it last moved; "
                + "`ledger explain \(Self.short(booked.id))` shows its fixes"
        )
    }

    /// Refuses to merge trips, given in order of their starts, that cannot be one, or returns `nil`
    /// if they can.
    init?(merging trips: [BookedTrip]) {
        for trip in trips {
            if let refusal = Refusal(mergingAnyOf: trip) {
                self = refusal
                return
            }
        }
        for (earlier, later) in zip(trips, trips.dropFirst()) {
            if earlier.id == later.id {
                self.init(later, "it is named twice", hint: "Name each trip once")
                return
            }
            let vehicles = (earlier.details.vehicle, later.details.vehicle)
            if let vehicle = vehicles.0, let other = vehicles.1, vehicle != other {
                self.init(
                    later,
                    "its vehicle is \(other), that of trip \(Self.short(earlier.id)) is \(vehicle)",
                    hint: "If one of them is wrong, correct it with `ledger edit`"
                )
                return
            }
        }
        for later in trips.indices.dropFirst() {
            let before = trips[..<later].last { $0.isUnderWay(at: trips[later].trip.startedAt) }
            guard let before else { continue }
            self.init(
                trips[later],
                "it starts before trip \(Self.short(before.id)) ends, so a way would count twice",
                hint: "If both recorded the same drive, void one of them with `ledger void`"
            )
            return
        }
        return nil
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
}

extension BookedTrip {
    /// Returns whether the trip starts before an instant, or at it, and ends after it.
    fileprivate func isUnderWay(at time: EventTime) -> Bool {
        trip.endedAt.map { $0.timestamp > time.timestamp } ?? true
    }
}
