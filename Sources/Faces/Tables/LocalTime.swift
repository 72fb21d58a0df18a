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

    /// Returns a time by a clock whose zone the reader knows, such as `2025-03-03 08:30:00`; with
    /// the offset if the reader could mistake the instant, or knows no zone.
    package static func text(_ time: EventTime, by clock: LocalDay?) -> String {
        let full = text(time.told(by: clock))
        guard let clock, !clock.needsOffset(time) else { return full }
        let isUTC = clock.local(time).utcOffset == nil
        return String(full.dropLast(isUTC ? " UTC".count : RFC3339.offsetByteCount + 1))
    }

    /// Returns the day and the minute of a time by a clock whose zone the reader may not know, such
    /// as `2025-03-03 08:30 +01:00`.
    package static func minute(_ time: EventTime, by clock: LocalDay?) -> String {
        Cell.dayAndMinute(time.told(by: clock)).text(in: TextStyle())
    }

    /// Appends the minute of a time by a clock whose zone the reader knows, such as `08:30`, for
    /// which there MUST be room; the date comes before it unless it is the one that the reader
    /// knows, and the offset after it as in ``text(_:by:)``.
    package static func appendMinute(
        _ time: EventTime,
        onOtherDayThan knownDate: CivilDate?,
        by clock: LocalDay?,
        to span: inout OutputSpan<UInt8>
    ) {
        let local = time.told(by: clock)
        if knownDate.map({ !$0.isDate(of: local) }) ?? true {
            CivilDate(of: local).append(to: &span)
            span.append(UInt8(ascii: " "))
        }
        RFC3339.appendMinute(local, to: &span)
        if let clock, !clock.needsOffset(time) { span.removeLast(RFC3339.offsetByteCount + 1) }
    }

    /// Returns the time of day of an instant by a clock, such as `08:30`, after its date if that is
    /// not the day of `now` too, and with its offset as in ``text(_:by:)``; in UTC it says so.
    package static func clock(
        _ time: EventTime,
        seenAt now: Timestamp,
        by clock: LocalDay?
    ) -> String {
        let local = time.told(by: clock)
        let full = RFC3339.text(local.timestamp, utcOffset: local.utcOffset)
        let today = RFC3339.text(now, utcOffset: local.utcOffset).prefix(10)
        var minute = String(full.dropFirst(11).prefix(5))
        if local.utcOffset == nil {
            minute += " UTC"
        } else if clock?.needsOffset(time) ?? true {
            minute += " \(full.suffix(RFC3339.offsetByteCount))"
        }
        return full.hasPrefix(today) ? minute : "\(full.prefix(10)) \(minute)"
    }

    /// Returns a length of time such as `1:05:09`, rounded to seconds.
    package static func duration(milliseconds: Int64) -> String {
        let seconds = seconds(milliseconds)
        return "\(seconds / 3_600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    }

    /// Returns a length of time in seconds, rounded to nearest.
    package static func seconds(_ milliseconds: Int64) -> Int64 { (milliseconds + 500) / 1_000 }

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
