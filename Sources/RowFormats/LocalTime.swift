package import TripEvents

/// Times for people: local where the offset is known, else UTC.
package enum LocalTime {
    /// Returns a time such as `2025-03-03 08:30:00 +01:00`, with milliseconds only if there are
    /// any.
    package static func text(_ time: EventTime) -> String {
        var bytes: [UInt8] = []
        append(time, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a time as ``text(_:)`` writes it.
    package static func append(_ time: EventTime, to bytes: inout [UInt8]) {
        let start = bytes.count
        RFC3339.append(time.timestamp, utcOffset: time.utcOffset, to: &bytes)
        // Offsets in YYYY-MM-DDTHH:MM:SS.mmm, which RFC3339 always writes in full.
        let (dateEnd, point, zone) = (start + 10, start + 19, start + 23)
        bytes[dateEnd] = UInt8(ascii: " ")
        let hasMilliseconds = time.timestamp.milliseconds % 1_000 != 0
        if time.utcOffset == nil {
            bytes.removeLast(bytes.count - (hasMilliseconds ? zone : point))
            bytes.append(contentsOf: " UTC".utf8)
        } else if hasMilliseconds {
            bytes.insert(UInt8(ascii: " "), at: zone)
        } else {
            bytes.replaceSubrange(point..<zone, with: CollectionOfOne(UInt8(ascii: " ")))
        }
    }

    /// Returns a time by the clocks of a zone; without a zone, as it is.
    package static func local(_ time: EventTime, in zone: TimeZoneRules?) -> EventTime {
        EventTime(time.timestamp, utcOffset: zone?.utcOffset(at: time.timestamp) ?? time.utcOffset)
    }

    /// Returns a time by the clock by whose days trips count: with its own offset if that is known,
    /// else in a zone.
    package static func counted(_ time: EventTime, in zone: TimeZoneRules?) -> EventTime {
        time.utcOffset == nil ? local(time, in: zone) : time
    }

    /// Returns a time of a zone that the reader knows, such as `2025-03-03 08:30:00`; without a
    /// zone, as ``text(_:)`` does.
    package static func text(_ time: EventTime, in zone: TimeZoneRules?) -> String {
        guard let offset = zone?.utcOffset(at: time.timestamp) else { return text(time) }
        let full = text(EventTime(time.timestamp, utcOffset: offset))
        return String(full.dropLast(RFC3339.offsetByteCount + 1))
    }

    /// Appends the minute of a time with its offset, such as `08:30 +01:00`, for which there MUST
    /// be room; the date comes before it unless it is the one that the reader knows, and the offset
    /// is left out if it is that of the zone that the reader knows.
    package static func appendMinute(
        _ time: EventTime,
        onOtherDayThan knownDate: CivilDate,
        in zone: TimeZoneRules?,
        to span: inout OutputSpan<UInt8>
    ) {
        if !knownDate.isDate(of: time) {
            CivilDate(of: time).append(to: &span)
            span.append(UInt8(ascii: " "))
        }
        RFC3339.appendMinute(time, to: &span)
        if let offset = time.utcOffset, offset == zone?.utcOffset(at: time.timestamp) {
            span.removeLast(RFC3339.offsetByteCount + 1)
        }
    }

    /// Appends the day and the minute of a time in a zone that the reader knows, such as
    /// `2025-03-03 08:30`, for which there MUST be room; without a zone, with its offset.
    package static func appendDayAndMinute(
        _ time: EventTime,
        in zone: TimeZoneRules?,
        to span: inout OutputSpan<UInt8>
    ) {
        let local = local(time, in: zone)
        CivilDate(of: local).append(to: &span)
        span.append(UInt8(ascii: " "))
        RFC3339.appendMinute(local, to: &span)
        if zone != nil { span.removeLast(RFC3339.offsetByteCount + 1) }
    }

    /// Returns a length of time such as `1:05:09`, rounded to seconds.
    package static func duration(milliseconds: Int64) -> String {
        let seconds = seconds(milliseconds)
        return "\(seconds / 3_600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    }

    /// Returns a length of time in seconds, rounded to nearest.
    package static func seconds(_ milliseconds: Int64) -> Int64 { (milliseconds + 500) / 1_000 }

    /// Returns the time of day of an instant, such as `08:30`, after its date if that is not the
    /// day of `now` too.
    package static func clock(_ time: EventTime, seenAt now: Timestamp) -> String {
        let full = RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
        let today = RFC3339.text(now, utcOffset: time.utcOffset).prefix(10)
        let clock = full.dropFirst(11).prefix(5) + (time.utcOffset == nil ? " UTC" : "")
        return full.hasPrefix(today) ? String(clock) : "\(full.prefix(10)) \(clock)"
    }

    /// Returns a length of time in words, such as `45 s`, `12 min` or `1 h 5 min`, rounded down.
    package static func span(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1_000
        let minutes = seconds / 60
        if seconds < 60 { return "\(seconds) s" }
        if minutes < 60 { return "\(minutes) min" }
        return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    }

    private static func padded(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
