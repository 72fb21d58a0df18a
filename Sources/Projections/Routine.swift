import RowCoding
public import TripEvents
import TripTracking

/// A template for trips, as it was last saved.
public struct Routine: Hashable, Sendable {
    /// Its name.
    public let name: String

    /// The details that it gives to trips.
    public let details: TripDetails

    /// Creates a routine.
    public init(name: String, details: TripDetails) {
        self.name = name
        self.details = details
    }
}

/// Every time a routine was saved or removed, and when it was applied.
struct RoutineVersions: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// The decisions that saved or removed it, in event order.
    private(set) var decisions: [Decision] = []

    /// The months in which it was applied, in ascending order (see ``BookKey``).
    private(set) var months: [Int64] = []

    /// Creates the versions of a routine that was never saved.
    init() {}

    /// Reads versions.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        for _ in 0..<(try reader.readAmount()) {
            decisions.append(try Decision(from: &reader))
        }
        for _ in 0..<(try reader.readAmount()) {
            months.append(try reader.readInt64())
        }
        try reader.finish()
    }

    /// The versions as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(UInt64(decisions.count))
        for decision in decisions {
            decision.write(to: &writer)
        }
        writer.write(UInt64(months.count))
        for month in months {
            writer.write(month)
        }
        return writer.bytes
    }

    /// The routine as it is after all decisions; `nil` if it was removed or never saved.
    var current: Routine? {
        decisions.last.flatMap(Self.saved)
    }

    /// Returns the routine as it was at a point of event order; `nil` if there was none.
    func routine(at order: EventOrder) -> Routine? {
        decisions.last { $0.order < order }.flatMap(Self.saved)
    }

    /// Adds a decision that saves or removes the routine, and returns whether it is new.
    mutating func add(_ decision: Decision) -> Bool {
        let index = decisions.firstIndex { !($0 < decision) } ?? decisions.count
        guard index == decisions.count || decisions[index].order != decision.order else {
            return false
        }
        decisions.insert(decision, at: index)
        return true
    }

    /// Notes that the routine was applied in a month, and returns whether that is new.
    mutating func add(month: Int64) -> Bool {
        guard !months.contains(month) else { return false }
        months.insert(month, at: months.firstIndex { $0 > month } ?? months.count)
        return true
    }

    private static func saved(_ decision: Decision) -> Routine? {
        guard case .routineSaved(let saving) = decision.event.body else { return nil }
        return Routine(name: saving.routine, details: saving.details)
    }
}
