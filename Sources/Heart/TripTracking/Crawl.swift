import Geodesy
import RowCoding
import TripEvents

/// The way since the last trip ended by itself, which the next trip may have begun with: out of a
/// jam a car crawls at walking pace.
///
/// It leads from where the car stood. A driver who stays anywhere else on the way, or is seen
/// walking by the motion sensor, has left the car.
struct Crawl: Hashable, Sendable {
    /// How many fixes are kept; of more, every second one is forgotten.
    private static let most = 120

    /// How long a crawl lasts at most, in milliseconds.
    private static let longestMilliseconds: Int64 = 2_700_000

    /// How long a stay elsewhere lasts that says the car was left, in milliseconds.
    private static let stayMilliseconds: Int64 = 300_000

    /// How long an engine may run before the car moves, in milliseconds.
    private static let idleMilliseconds: Int64 = 150_000

    /// How far the fixes lie from there meanwhile, in metres.
    private static let stayMeters = 50.0

    /// Where the car stood.
    private(set) var place: Coordinate

    /// The fixes since it left, oldest first; before that, the latest fix there.
    private(set) var entries: [StartWindow.Entry] = []

    /// Whether a fix has left the place.
    private var hasLeft = false

    /// How far apart the kept fixes are at least, in milliseconds.
    private var stride: Int64 = 1

    /// The place that the latest fixes have not left.
    private var stay: Stay

    /// Creates the crawl away from where a trip ended.
    init(from place: Waypoint) {
        self.place = place.coordinate
        stay = Stay(since: place.at)
    }

    /// Takes the next usable fix, and returns whether the car may still be on the way.
    mutating func take(
        _ next: StartWindow.Entry,
        rules: TrackingRules,
        metric: inout LocalMetric
    ) -> Bool {
        let fix = next.fix
        guard let last = entries.last else {
            // A recording that begins elsewhere does not show the way from there. One that is made
            // while the engine runs begins where the car stands.
            if metric.distance(from: place, to: fix.coordinate) > rules.silenceRadius {
                guard rules.preset == .logger else { return false }
                place = fix.coordinate
                hasLeft = true
            }
            entries = [next]
            return true
        }
        guard fix.occurredAt > last.fix.occurredAt else { return true }
        let away = metric.distance(from: place, to: fix.coordinate)
        guard hasLeft || away > rules.parkedRadius else {
            entries[0] = next
            stay.since = fix.occurredAt
            return true
        }
        hasLeft = true
        stay.safeUntil = .zero
        _ = stay.isLeft(
            by: fix,
            travelled: .zero,
            radius: rules.movementRadius,
            metric: &metric
        )
        guard fix.occurredAt.milliseconds(since: stay.since) < Self.stayMilliseconds,
            fix.occurredAt.milliseconds(since: entries[0].fix.occurredAt)
                < Self.longestMilliseconds
        else { return false }
        if fix.occurredAt.milliseconds(since: last.fix.occurredAt) >= stride {
            entries.append(next)
        }
        if entries.count > Self.most { thinOut() }
        return true
    }

    /// Forgets every second fix but the first.
    private mutating func thinOut() {
        entries = entries.indices.filter { $0.isMultiple(of: 2) }.map { entries[$0] }
        let span = entries[entries.count - 1].fix.occurredAt
            .milliseconds(since: entries[0].fix.occurredAt)
        stride = max(2 * stride, span / Int64(Self.most / 2))
    }

    /// Returns where the stay ends with which a recording began, if that was longer than an engine
    /// idles.
    private func edgeOfStay(in before: ArraySlice<StartWindow.Entry>) -> Int {
        var metric = LocalMetric()
        let still = before.prefix {
            metric.geodesicMeters(from: place, to: $0.fix.coordinate) <= Self.stayMeters
        }
        guard let first = still.first, let last = still.last,
            last.fix.occurredAt.milliseconds(since: first.fix.occurredAt) > Self.idleMilliseconds
        else { return before.startIndex }
        return still.endIndex - 1
    }

    /// Returns the fixes that a drive begins with, those of the crawl before its own.
    func leading(_ drive: ArraySlice<StartWindow.Entry>) -> ArraySlice<StartWindow.Entry> {
        guard hasLeft, let first = drive.first else { return drive }
        let before = entries.prefix { $0.fix.occurredAt < first.fix.occurredAt }
        return before[edgeOfStay(in: before)...] + drive
    }
}

extension Crawl {
    func write(to writer: inout RowEncoder) {
        writer.write(place)
        writer.write(UInt64(entries.count))
        for entry in entries {
            entry.write(to: &writer)
        }
        writer.write(hasLeft)
        writer.write(stride)
        stay.write(to: &writer)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        place = try reader.readCoordinate()
        stay = Stay(since: Timestamp(milliseconds: 0))
        for _ in 0..<(try reader.readUInt64()) {
            entries.append(try StartWindow.Entry(from: &reader))
        }
        hasLeft = try reader.readBool()
        stride = try reader.readAmount()
        stay = try Stay(from: &reader)
    }
}
