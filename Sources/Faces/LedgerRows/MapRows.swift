import Papers
import Projections
package import Tables
import TripEvents
import TripLedger
import TripTracking

extension SavedPlace: MapRow {
    /// Shows the place where its middle is.
    package func feature(in style: TextStyle) -> MapFeature {
        MapFeature(
            name: title,
            facts: "\(saving.radiusMeters) m around it",
            from: nil,
            to: nil,
            shape: .point(middle)
        )
    }

    fileprivate var middle: MapFeature.Point {
        MapFeature.Point(latitude: saving.latitude, longitude: saving.longitude)
    }
}

extension SourceVisit: MapRow {
    /// Shows the visit in the middle of its place.
    package func feature(in style: TextStyle) -> MapFeature {
        let times = [visit.enteredAt, visit.leftAt]
            .map { time in
                time.map { LocalTime.minute($0, by: style.clock) } ?? ""
            }
        return MapFeature(
            name: visit.place.title,
            facts: DirectionMarks.shown("\(source), \(times.joined(separator: " – "))"),
            from: visit.enteredAt,
            to: visit.leftAt,
            shape: .point(visit.place.middle)
        )
    }
}

extension NamedTrip: MapRow {
    /// Shows the trip as a line between its ends, or as a point if only one end is known.
    package func feature(in style: TextStyle) -> MapFeature {
        let title = TrackTitle(self, style)
        let start = MapFeature.Point(booked.trip.start)
        let end = MapFeature.Point(booked.trip.end)
        let shape: MapFeature.Shape? =
            if let start, let end { .line(start, end) } else { (start ?? end).map { .point($0) } }
        return MapFeature(
            name: title.name,
            facts: title.facts,
            from: booked.trip.startedAt,
            to: booked.trip.endedAt,
            shape: shape
        )
    }
}
