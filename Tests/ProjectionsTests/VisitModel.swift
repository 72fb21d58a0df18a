import Geodesy
import Projections
import TripEvents

/// The rules of visits word for word: every place is compared with every fix, and nothing is
/// remembered but the visits.
struct VisitModel {
    private struct Stay {
        var enteredAt: Int64
        var lastInsideAt: Int64
    }

    private let places: PlaceBook
    private var stays: [String: Stay] = [:]

    init(_ places: PlaceBook) {
        self.places = places
    }

    /// The visits that go on, in order of names.
    var openVisits: [String] {
        stays.sorted { $0.key < $1.key }
            .map { Self.text($0.key, $0.value.enteredAt, $0.value.lastInsideAt, nil) }
    }

    /// Returns a change in words.
    static func text(_ change: VisitChange) -> String {
        switch change {
        case .entered(let visit): "+ " + text(visit)
        case .left(let visit): "- " + text(visit)
        }
    }

    /// Returns a visit in words.
    static func text(_ visit: Visit) -> String {
        text(
            visit.place.name,
            visit.enteredAt.timestamp.milliseconds,
            visit.lastInsideAt.timestamp.milliseconds,
            visit.leftAt?.timestamp.milliseconds
        )
    }

    /// Takes the next fix and returns what it means, in any order.
    mutating func take(_ fix: Fix) -> [String] {
        var changes: [String] = []
        let now = fix.occurredAt.milliseconds
        for name in Set(places.versions.map(\.name)) {
            let versions = places.versions.filter { $0.name == name }
            let version = versions.last { version in
                version.holdsFrom <= fix.occurredAt
                    && version.holdsUntil.map { fix.occurredAt < $0 } ?? true
            }
            let beyond = version.map { version in
                version.center.distance(to: fix.coordinate).millimeters
                    - version.radius.millimeters
            }
            if let beyond, beyond <= 0 {
                if stays[name] == nil {
                    changes.append("+ " + Self.text(name, now, now, nil))
                }
                let enteredAt = stays[name]?.enteredAt ?? now
                stays[name] = Stay(enteredAt: enteredAt, lastInsideAt: now)
            } else if beyond ?? .max > 50_000, let stay = stays.removeValue(forKey: name) {
                let removedAt = versions.compactMap(\.holdsUntil).last { $0 <= fix.occurredAt }
                let leftAt = version == nil ? removedAt?.milliseconds : now
                changes.append("- " + Self.text(name, stay.enteredAt, stay.lastInsideAt, leftAt))
            }
        }
        return changes
    }

    private static func text(
        _ name: String,
        _ enteredAt: Int64,
        _ lastInsideAt: Int64,
        _ leftAt: Int64?
    ) -> String {
        "\(name) \(enteredAt) \(lastInsideAt) \(leftAt.map(String.init) ?? "…")"
    }
}
