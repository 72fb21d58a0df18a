import DriveSimulation
import TestSupport
import Testing

@testable import Maps
@testable import Papers

/// Lines that lose points which do not show.
@Suite struct LineTests {
    private static func walk(_ random: inout SplitMix64, count: Int) -> [Point] {
        var point = Point(0, 0)
        return (0..<count)
            .map { _ in
                point.x += Double.random(in: -3...5, using: &random)
                point.y += Double.random(in: -4...4, using: &random)
                return point
            }
    }

    private static func distance(_ point: Point, _ first: Point, _ last: Point) -> Double {
        let (dx, dy) = (last.x - first.x, last.y - first.y)
        let along = ((point.x - first.x) * dx + (point.y - first.y) * dy)
        let share = dx == 0 && dy == 0 ? 0 : min(1, max(0, along / (dx * dx + dy * dy)))
        let (x, y) = (point.x - first.x - share * dx, point.y - first.y - share * dy)
        return (x * x + y * y).squareRoot()
    }

    @Test(arguments: Seeds.fresh(100))
    func `a point that is left out lies near the line that stays`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let line = Self.walk(&random, count: Int.random(in: 1...200, using: &random))
        let tolerance = Double.random(in: 0...6, using: &random)
        Self.expectNear(line, tolerance, "seed \(seed)")
    }

    /// Of laps over the same points each look at all of them cuts off only a few, so that the time
    /// would grow with the square of their number.
    @Test func `of many laps those points that are left out lie near the line, too`() {
        let square = [Point(0, 0), Point(400, 0), Point(400, 400), Point(0, 400)]
        Self.expectNear((0..<100_000).map { square[$0 % 4] }, 1, "laps")
    }

    private static func expectNear(_ line: [Point], _ tolerance: Double, _ comment: Comment) {
        let kept = LineThinning.kept(line, tolerance: tolerance)
        #expect(kept.first == 0 && kept.last == line.count - 1, comment)
        #expect(kept == kept.sorted() && Set(kept).count == kept.count, comment)
        for (first, last) in zip(kept, kept.dropFirst()) {
            for index in first...last {
                let far = Self.distance(line[index], line[first], line[last])
                #expect(far <= tolerance + 1e-9, comment)
            }
        }
    }

    @Test(arguments: Seeds.fresh(50))
    func `many points become few, and none of them moves`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let lines = (0..<20).map { _ in Self.walk(&random, count: 100) }
        let most = Int.random(in: 60...2_000, using: &random)
        let thin = LineThinning.thinned(lines, tolerance: 0.01, most: most)
        #expect(thin.reduce(0) { $0 + $1.count } <= most, "seed \(seed)")
        #expect(thin.count == lines.count)
        for (before, after) in zip(lines, thin) {
            #expect(Set(after).isSubset(of: Set(before)), "seed \(seed)")
            #expect(after.first == before.first && after.last == before.last)
        }
    }

    @Test(arguments: Seeds.fresh(100))
    func `an area that is cut lies in the rectangle, and all of it that was there`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let box = Box(x: 0, y: 0, width: 100, height: 80)
        // A star around a point, which no edge of it crosses.
        let middle = Point(
            Double.random(in: -50...150, using: &random),
            Double.random(in: -50...130, using: &random)
        )
        let ring = (0..<40)
            .map { index -> Point in
                let ray = CirclePoints.around(Point(0, 0), radius: 1)[index]
                let length = Double.random(in: 10...120, using: &random)
                return Point(middle.x + ray.x * length, middle.y + ray.y * length)
            }
        let cut = PolygonClip.area(ring, in: box)
        #expect(cut.allSatisfy { box.expanded(by: 1e-9, 1e-9).contains($0) }, "seed \(seed)")
        for _ in 0..<50 {
            let point = Point(
                Double.random(in: 0...100, using: &random),
                Double.random(in: 0...80, using: &random)
            )
            #expect(Self.holds(cut, point) == Self.holds(ring, point), "seed \(seed)")
        }
    }

    private static func holds(_ ring: [Point], _ point: Point) -> Bool {
        var isInside = false
        for (first, second) in zip(ring, ring.dropFirst() + ring.prefix(1))
        where (first.y > point.y) != (second.y > point.y) {
            let share = (point.y - first.y) / (second.y - first.y)
            if first.x + share * (second.x - first.x) > point.x { isInside.toggle() }
        }
        return isInside
    }

    @Test(arguments: [1, 2, 3, 5, 9, 40, 700, 5_000])
    func `each count of trips has its class, and more of them no lighter one`(most: Int) {
        let classes = RouteHeat.classes(most: most)
        #expect(classes.first?.counts.lowerBound == 1)
        #expect(classes.last?.counts.upperBound == most)
        for (lower, upper) in zip(classes, classes.dropFirst()) {
            #expect(lower.counts.upperBound + 1 == upper.counts.lowerBound)
        }
        let inks = classes.compactMap { Ink.heat.firstIndex(of: $0.ink) }
        #expect(inks == inks.sorted() && inks.last == Ink.heat.count - 1)
    }

    @Test(arguments: Seeds.fresh(20))
    func `a road is drawn in the class of all trips that went along it`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 2...60, using: &random)
        // One road that all take, each a little beside it, and one that a single trip takes.
        let trips = (0..<count)
            .map { _ in
                [
                    (0...30)
                        .map {
                            Point(
                                Double($0) * 7,
                                50 + Double.random(in: -0.4...0.4, using: &random)
                            )
                        }
                ]
            }
        let lonely = [[Point(0, 200), Point(210, 200)]]
        let heat = RouteHeat(trips + [lonely], metersPerPixel: 50)
        let busy = heat.classes.last
        #expect(busy?.counts.contains(count) ?? false, "seed \(seed)")
        #expect(busy?.lines.allSatisfy { $0.allSatisfy { $0.y < 60 } } ?? false)
        #expect(heat.classes.first?.lines.contains { $0.contains { $0.y == 200 } } ?? false)
    }

    @Test(arguments: Seeds.fresh(30))
    func `no name covers another one, or leaves the map`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let box = Box(x: 0, y: 0, width: 500, height: 400)
        var placer = LabelPlacer(box, taken: [Box(x: 400, y: 0, width: 100, height: 80)])
        var spaces = [Box(x: 400, y: 0, width: 100, height: 80)]
        for index in 0..<60 {
            let point = Point(
                Double.random(in: -20...520, using: &random),
                Double.random(in: -20...420, using: &random)
            )
            let text = String(repeating: "name ", count: 1 + index % 5)
            guard let label = placer.place(text, at: point, radius: 5, size: 12, .text) else {
                continue
            }
            let space = label.estimatedBox
            #expect(!spaces.contains { $0.overlaps(space) }, "seed \(seed)")
            #expect(box.contains(space.origin) && box.contains(Point(space.right, space.bottom)))
            spaces.append(space)
        }
        #expect(spaces.count > 10)
    }
}
