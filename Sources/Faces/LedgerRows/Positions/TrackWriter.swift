import Geodesy
import Papers
package import Tables
import TripEvents
package import TripLedger

/// The title of a trip, or of a track, on a map or in a calendar.
///
/// A title is made of several names and figures, and people read it beside others; so none of its
/// parts may change the direction of the text after it (``DirectionMarks``). A name that stands
/// alone, as that of a place in GPX and KML, is data that programs read again, and stays exact, as
/// everything in JSON, GeoJSON and CSV does.
package struct TrackTitle: Sendable {
    /// The name beside the line on a map.
    let name: String

    /// The names of both ends; the source if neither is known.
    let way: String

    /// Facts about it, first that it counts nowhere if it does not; empty if it belongs to no trip.
    let facts: String

    /// Names the fixes of a source that are of no trip.
    package init(source: String) {
        name = source
        way = source
        facts = ""
    }

    /// Names the fixes of a trip: when it was and between which places, and what it was for.
    package init(_ named: NamedTrip, _ style: TextStyle) {
        let booked = named.booked
        let ends = [
            Cell(nearly: .start(of: booked, named.places)),
            Cell(nearly: .end(of: booked, named.places)),
        ]
        .map { $0.text(in: style) }
        way = DirectionMarks.shown(
            ends == ["", ""] ? booked.trip.source : ends.joined(separator: " – ")
        )
        name = "\(LocalTime.minute(booked.trip.startedAt, by: style.clock)) \(way)"
        let distance = Phrase("\(booked.claimedDistance, in: style.unit)")
        let facts = [
            Self.status(of: named).map { style.words.text($0) }, style.words.text(distance),
            style.words.text(booked.tripClass.phrase),
            booked.details.purpose ?? booked.details.title,
            booked.details.vehicle, style.words.text(MapPhrases.trip(booked.id.description)),
        ]
        .compactMap(\.self).joined(separator: ", ")
        self.facts = DirectionMarks.shown(facts)
    }

    /// Returns why a trip counts nowhere; `nil` if it counts.
    private static func status(of named: NamedTrip) -> Phrase? {
        guard !named.counts else { return nil }
        let status = named.booked.status
        return status == .completed ? MapPhrases.leftOut : status.phrase
    }
}

/// Writes fixes one after the other in a format of maps: a track for each trip, and a new stretch
/// of it where nothing was measured on the way.
///
/// Fixes that the source marks as made up are left out, because none of these formats can mark
/// them.
package struct TrackWriter {
    private var form: any TrackForm

    /// The trip and the source of the current track.
    private var track: (trip: TripID?, source: String)?

    /// Creates a writer.
    ///
    /// - Parameter format: The format; `nil` is returned if it is not one of maps.
    package init?(as format: PositionFormat) {
        switch format {
        case .gpx: form = GPXForm()
        case .geojson: form = GeoJSONForm()
        case .kml: form = KMLForm()
        case .text, .json, .csv: return nil
        }
    }

    /// Appends what stands before the first track.
    package func begin(to bytes: inout [UInt8]) { form.begin(to: &bytes) }

    /// Adds a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix.
    ///   - bytes: Receives the text that can be written already.
    ///   - title: Names the track that begins with it; called only then.
    /// - Throws: The errors of `title`.
    package mutating func add(
        _ fix: TrackedFix,
        to bytes: inout [UInt8],
        title: () throws -> TrackTitle
    ) rethrows {
        guard fix.fix.isMock != true else { return }
        let source = fix.stored.event.source
        if track == nil || track?.trip != fix.trip || track?.source != source {
            let title = try title()
            endTrack(to: &bytes)
            track = (fix.trip, source)
            form.beginTrack(title, of: source, to: &bytes)
            form.beginStretch(to: &bytes)
        } else if fix.isAfterBreak {
            form.endStretch(to: &bytes)
            form.beginStretch(to: &bytes)
        }
        form.add(fix, to: &bytes)
    }

    /// Appends what stands after the last fix.
    package mutating func end(to bytes: inout [UInt8]) {
        endTrack(to: &bytes)
        form.end(to: &bytes)
    }

    private mutating func endTrack(to bytes: inout [UInt8]) {
        guard track != nil else { return }
        form.endStretch(to: &bytes)
        form.endTrack(to: &bytes)
    }
}

/// A format of maps: its text before, between and after fixes.
protocol TrackForm: Sendable {
    func begin(to bytes: inout [UInt8])
    func beginTrack(_ title: TrackTitle, of source: String, to bytes: inout [UInt8])
    mutating func beginStretch(to bytes: inout [UInt8])
    mutating func add(_ fix: TrackedFix, to bytes: inout [UInt8])
    mutating func endStretch(to bytes: inout [UInt8])
    func endTrack(to bytes: inout [UInt8])
    func end(to bytes: inout [UInt8])
}
