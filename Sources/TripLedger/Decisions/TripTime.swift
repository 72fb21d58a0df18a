public import TripEvents

/// A time on a trip, as a person says it: in full, or as the clock of the trip showed it.
public enum TripTime: Hashable, Sendable {
    /// An instant, whatever the trip.
    case instant(EventTime)

    /// A local date and time of day, such as `2025-03-03T08:45:00`.
    case local(String)

    /// A time of day, such as `08:45:00`: on the day of the trip's start, or on the next if the
    /// trip went on until then.
    case clock(String)

    private static let dayMilliseconds: Int64 = 86_400_000

    /// Reads RFC 3339, a local date and time, or a time of day, each with or without seconds, or
    /// returns `nil` if `text` is none of them.
    public init?(_ text: String) {
        if let time = RFC3339.time(text) {
            self = .instant(time)
            return
        }
        let clock = text.split(separator: "T").last.map(String.init) ?? ""
        let isShort = clock.split(separator: ":", omittingEmptySubsequences: false).count == 2
        let full = isShort ? text + ":00" : text
        if Self.time(full, at: nil) != nil {
            self = .local(full)
        } else if Self.time("1970-01-01T" + full, at: nil) != nil {
            self = .clock(full)
        } else {
            return nil
        }
    }

    /// Whether it needs to be said in full, because the trip's clock was changed on the way.
    func isUnclear(onTripFrom start: EventTime, to end: EventTime?) -> Bool {
        guard let before = start.utcOffset, let after = end?.utcOffset else { return false }
        switch self {
        case .instant: return false
        case .local, .clock: return before != after
        }
    }

    /// Returns the instant that is meant on a trip, in its offset from UTC; `nil` if the calendar
    /// has no such day.
    func time(onTripFrom start: EventTime, to end: EventTime?) -> EventTime? {
        switch self {
        case .instant(let time):
            return EventTime(time.timestamp, utcOffset: time.utcOffset ?? start.utcOffset)
        case .local(let text):
            return Self.time(text, at: start.utcOffset)
        case .clock(let text):
            let full = RFC3339.text(start.timestamp, utcOffset: start.utcOffset)
            let time = Self.time("\(full.prefix(10))T\(text)", at: start.utcOffset)
            return time.map { time in
                let next = time.timestamp.advanced(byMilliseconds: Self.dayMilliseconds)
                let isNextDay =
                    time.timestamp < start.timestamp && next <= end?.timestamp ?? next
                return EventTime(isNextDay ? next : time.timestamp, utcOffset: start.utcOffset)
            }
        }
    }

    private static func time(_ local: String, at offset: UTCOffset?) -> EventTime? {
        let zone = RFC3339.text(Timestamp(milliseconds: 0), utcOffset: offset).dropFirst(23)
        return RFC3339.time(local + zone)
    }
}
