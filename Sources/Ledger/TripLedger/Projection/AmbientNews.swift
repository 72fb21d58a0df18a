import TripEvents
import TripTracking

/// The events for all sources that some trackers have not been given yet.
///
/// It finds the first of them, in event order, that is new to a tracker.
///
/// Only the first in event order of all events from a position of the log on decides whether they
/// come too late for a tracker. So if the earlier of two events in the log is the later one in
/// event order, it is forgotten.
struct AmbientNews {
    /// Those for all sources, in ascending order of position and of event order.
    private var general: [AmbientEvent] = []

    /// Those for one source, by the bytes of its name, in the same order.
    private var special: [[UInt8]: [AmbientEvent]] = [:]

    /// Those for the sources of one group, by the bytes of its name, in the same order.
    private var ofGroups: [[UInt8]: [AmbientEvent]] = [:]

    /// Whether drivers have decided about recovery, which can end a trip that it does not name, by
    /// the time that has passed until then; or about places, at some of which no silence ends one.
    private(set) var bearsOnOpenTrips = false

    /// Whether there are none.
    private(set) var isEmpty = true

    /// Adds an event, which stands in the log after all others.
    mutating func add(_ event: AmbientEvent) {
        isEmpty = false
        switch event.kind {
        case .recoveryDecided, .placeSaved, .placeRemoved: bearsOnOpenTrips = true
        default: break
        }
        if let name = event.appliesTo {
            Self.add(event, to: &special[Array(name.utf8), default: []])
        } else if let group = event.group {
            Self.add(event, to: &ofGroups[Array(group.utf8), default: []])
        } else {
            Self.add(event, to: &general)
        }
    }

    private static func add(_ event: AmbientEvent, to events: inout [AmbientEvent]) {
        while let last = events.last, !last.precedes(event) { events.removeLast() }
        events.append(event)
    }

    /// Returns the first event, in event order, that stands in the log at a position or after it
    /// and concerns the source of a tracker; `nil` if there is none.
    func first(from position: UInt64, for tracker: Tracker) -> AmbientEvent? {
        // Asked at nearly every event when the sources of a log are interleaved.
        if isEmpty { return nil }
        let ofGroup = tracker.group.flatMap { ofGroups[Array($0.utf8)] }
        return [general, special[Array(tracker.source.utf8)] ?? [], ofGroup ?? []]
            .compactMap { Self.first(from: position, in: $0) }
            .min { $0.precedes($1) }
    }

    private static func first(
        from position: UInt64,
        in events: [AmbientEvent]
    ) -> AmbientEvent? {
        var range = 0..<events.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if events[middle].mark.position < position {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound < events.count ? events[range.lowerBound] : nil
    }
}
