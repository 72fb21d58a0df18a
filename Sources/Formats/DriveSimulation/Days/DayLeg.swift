import TripEvents

/// A part of a day in which a person stayed somewhere or went somewhere in one way.
struct DayLeg: Sendable {
    let activity: SimulatedActivity

    /// Seconds from the start of the day.
    let startSecond: Int

    /// Seconds from the start of the day; where the next leg starts.
    let endSecond: Int

    /// Where the person was at each second, the first and the last included; one point of a stay.
    let points: [TrackPoint]

    /// Why people would not agree on where this trip begins or ends, if they would not.
    var looseness: String?

    /// The length of the way in metres.
    var meters: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.place.distance(to: $1.1.place) }
    }

    var isStay: Bool { points.count == 1 }

    /// The truth about it, for a day that begins at `midnight`.
    func part(since midnight: Timestamp) -> DayPart {
        DayPart(
            activity: activity,
            start: midnight.advanced(byMilliseconds: Int64(startSecond) * 1_000),
            end: midnight.advanced(byMilliseconds: Int64(endSecond) * 1_000),
            lengthMeters: Int(meters),
            looseness: looseness
        )
    }

    /// Where the person is some milliseconds after the start of the day.
    func point(at milliseconds: Int64) -> TrackPoint {
        guard !isStay else { return points[0] }
        let since = max(0, milliseconds - Int64(startSecond) * 1_000)
        let index = min(Int(since / 1_000), points.count - 1)
        guard index < points.count - 1 else { return points[points.count - 1] }
        var point = points[index]
        let share = Double(since % 1_000) / 1_000
        point.place = point.place.toward(points[index + 1].place, share: share)
        return point
    }
}

/// Finds the leg of a moment; moments are asked for in order.
struct DayCursor {
    let legs: [DayLeg]
    private(set) var index = 0

    init(_ legs: [DayLeg]) {
        self.legs = legs
    }

    var leg: DayLeg { legs[index] }

    /// Moves to the leg that contains a moment, in milliseconds after the start of the day.
    mutating func move(to milliseconds: Int64) {
        while index < legs.count - 1, Int64(legs[index].endSecond) * 1_000 <= milliseconds {
            index += 1
        }
    }
}
