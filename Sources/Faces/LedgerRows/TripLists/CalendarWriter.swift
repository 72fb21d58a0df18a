import Projections
import Tables
import TripEvents
import TripTracking

/// Writes trips that are over as events of a calendar (iCalendar, RFC 5545), one after the other;
/// those that count nowhere are cancelled ones.
///
/// The same trips give the same bytes: an event has the trip's id, and the time at which the ledger
/// last stored something about the trip.
struct CalendarWriter: TripListWriter {
    /// The most bytes of a line, without its end.
    private static let lineByteCount = 75

    private let style: TextStyle

    /// Creates a writer.
    ///
    /// - Parameter style: How distances and places are shown.
    init(_ style: TextStyle) {
        self.style = style
    }

    /// Appends what stands above the first event.
    func begin(to bytes: inout [UInt8]) {
        append("BEGIN:VCALENDAR", to: &bytes)
        append("VERSION:2.0", to: &bytes)
        append("PRODID:-//Trip Ledger//ledger//EN", to: &bytes)
    }

    /// Adds a trip, unless it is in progress.
    func add(_ named: NamedTrip, to bytes: inout [UInt8]) {
        let (booked, trip) = (named.booked, named.booked.trip)
        guard let end = trip.endedAt else { return }
        let title = TrackTitle(named, style)
        // Details may come of a rule, and so without a decision.
        let storedAt =
            [booked.detailsRecorded?.lastAt, named.decidedAt].compactMap(\.self)
            .reduce(trip.recorded.lastAt) { max($0, $1) }
        append("BEGIN:VEVENT", to: &bytes)
        append("UID:\(trip.id)", to: &bytes)
        append("DTSTAMP:\(Self.text(storedAt))", to: &bytes)
        // An event without an end takes no time; one with an end has to take some.
        let (from, to) = (Self.text(trip.startedAt.timestamp), Self.text(end.timestamp))
        append("DTSTART:\(from)", to: &bytes)
        if from != to { append("DTEND:\(to)", to: &bytes) }
        append("SUMMARY:\(Self.escaped(title.way))", to: &bytes)
        append("DESCRIPTION:\(Self.escaped(title.facts))", to: &bytes)
        // Its description says why it counts nowhere.
        if !named.counts { append("STATUS:CANCELLED", to: &bytes) }
        append("CATEGORIES:\(booked.tripClass.rawValue)", to: &bytes)
        append("TRANSP:TRANSPARENT", to: &bytes)
        append("END:VEVENT", to: &bytes)
    }

    /// Appends what stands below the last event.
    func end(to bytes: inout [UInt8]) {
        append("END:VCALENDAR", to: &bytes)
    }

    /// Appends a line in pieces that are short enough, between characters; each but the first one
    /// begins with a space.
    private func append(_ line: String, to bytes: inout [UInt8]) {
        var left = Self.lineByteCount
        for scalar in line.unicodeScalars {
            let count = UTF8.width(scalar)
            if count > left {
                bytes += "\r\n ".utf8
                left = Self.lineByteCount - 1
            }
            bytes += String(scalar).utf8
            left -= count
        }
        bytes += "\r\n".utf8
    }

    /// Returns a time in UTC to the second, such as `20250303T073000Z`.
    private static func text(_ timestamp: Timestamp) -> String {
        RFC3339.text(timestamp).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// Returns a text with backslashes before characters that would end it.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case "\0"..."\u{1F}", "\u{7F}": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
