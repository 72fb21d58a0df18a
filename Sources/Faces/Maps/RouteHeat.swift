import Glibc
import Papers

/// How often each road was driven: the number of trips that crossed each field of a fine grid.
///
/// A trip counts in the fields beside its line too, because a receiver's position is never exactly
/// on the road. Where many trips go through one field, a few of them are drawn: more would hide one
/// another.
struct RouteHeat {
    /// The side of a field: about how far two lanes and two receivers are apart.
    private static let sideMeters = 100.0

    /// The largest side of a field, in pixels.
    private static let largestSide = 4.0

    /// The most trips whose lines are drawn in one field.
    private static let mostTrips = 2

    private static let mostPoints = 100_000

    /// How often.
    struct Class {
        let counts: ClosedRange<Int>
        let ink: Ink
        var lines: [[Point]] = []
    }

    /// A field of the grid.
    private struct Field: Hashable {
        let column: Int32
        let row: Int32
    }

    /// The use of a field: the trips that crossed it, and those drawn in it.
    private struct Use {
        var trips: Int32 = 0
        var drawn: Int32 = 0
        var last: Int32 = -1
    }

    /// The classes from seldom to often, without those that no road has.
    private(set) var classes: [Class] = []

    private let side: Double
    private var uses: [Field: Use] = [:]

    /// Counts the trips on each road.
    ///
    /// - Parameters:
    ///   - trips: The lines of each trip, on the page.
    ///   - metersPerPixel: How many metres a pixel is long.
    ///   - mostPoints: About how many points the lines have at most.
    init(_ trips: [[[Point]]], metersPerPixel: Double, mostPoints: Int = Self.mostPoints) {
        side = min(Self.largestSide, Self.sideMeters / metersPerPixel)
        for lines in trips { count(lines) }
        classes = Self.classes(most: uses.values.reduce(0) { max($0, Int($1.trips)) })
        for (index, lines) in trips.enumerated() {
            for line in lines { draw(line, of: Int32(index)) }
        }
        let thin = LineThinning.thinned(
            classes.flatMap(\.lines),
            tolerance: side / 20,
            most: mostPoints
        )
        var rest = thin[...]
        for index in classes.indices {
            let count = classes[index].lines.count
            classes[index].lines = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        classes.removeAll { $0.lines.isEmpty }
    }

    /// Returns classes whose bounds are round and grow by about the same factor.
    static func classes(most: Int) -> [Class] {
        guard most > 0 else { return [] }
        let round = [1, 2, 4, 6, 9, 14, 19, 29, 49, 69, 99, 149, 199, 299, 499, 699, 999, 1_999]
        var bounds: [Int] = []
        for step in 1..<Ink.heat.count {
            let wanted = log(Double(most)) * Double(step) / Double(Ink.heat.count)
            let nearest = round.min {
                abs(log(Double($0)) - wanted) < abs(log(Double($1)) - wanted)
            }
            if let nearest, nearest > bounds.last ?? 0, nearest < most { bounds.append(nearest) }
        }
        var first = 1
        return zip(bounds + [most], Ink.heat.suffix(bounds.count + 1))
            .map { last, ink in
                defer { first = last + 1 }
                return Class(counts: first...last, ink: ink)
            }
    }

    private mutating func count(_ lines: [[Point]]) {
        var crossed: Set<Field> = []
        for line in lines {
            for (first, second) in zip(line, line.dropFirst()) {
                for field in fields(from: first, to: second) { crossed.insert(field) }
            }
        }
        var beside: Set<Field> = []
        for field in crossed {
            for column in field.column - 1...field.column + 1 {
                for row in field.row - 1...field.row + 1 {
                    beside.insert(Field(column: column, row: row))
                }
            }
        }
        for field in beside { uses[field, default: Use()].trips += 1 }
    }

    private mutating func draw(_ line: [Point], of trip: Int32) {
        var part: (points: [Point], level: Int)?
        for (first, second) in zip(line, line.dropFirst()) {
            var (isNew, most) = (false, 1)
            for field in fields(from: first, to: second) {
                guard var use = uses[field] else { continue }
                most = max(most, Int(use.trips))
                guard use.last != trip else {
                    isNew = true
                    continue
                }
                guard use.drawn < Self.mostTrips else { continue }
                isNew = true
                use.drawn += 1
                use.last = trip
                uses[field] = use
            }
            let level = classes.firstIndex { $0.counts.contains(most) } ?? 0
            if isNew, part?.level == level {
                part?.points.append(second)
            } else {
                if let part { classes[part.level].lines.append(part.points) }
                part = isNew ? ([first, second], level) : nil
            }
        }
        if let part { classes[part.level].lines.append(part.points) }
    }

    /// Returns the fields between two points.
    private func fields(from first: Point, to second: Point) -> [Field] {
        let (dx, dy) = (second.x - first.x, second.y - first.y)
        let steps = min(20_000, max(1, Int((max(abs(dx), abs(dy)) / side).rounded(.up))))
        var fields: [Field] = []
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            let field = Field(
                column: Int32(((first.x + share * dx) / side).rounded(.down)),
                row: Int32(((first.y + share * dy) / side).rounded(.down))
            )
            if fields.last != field { fields.append(field) }
        }
        return fields
    }
}
