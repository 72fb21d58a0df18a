package import Geodesy
import Papers

/// How fast a trip was, and how far it had come, from its start to its end.
package struct SpeedProfile: Sendable {
    /// A moment of the trip.
    package struct Moment: Sendable {
        /// Milliseconds since the trip's start.
        package let time: Int64

        /// How far it had come.
        package let sum: Distance

        /// Where it was.
        package let position: Coordinate

        /// Whether nothing was measured since the moment before.
        package let isAfterGap: Bool

        /// Creates a moment.
        package init(time: Int64, sum: Distance, position: Coordinate, isAfterGap: Bool) {
            self.time = time
            self.sum = sum
            self.position = position
            self.isAfterGap = isAfterGap
        }
    }

    /// In order of time.
    private let moments: [Moment]

    /// The time of day at the trip's start, in seconds since midnight.
    let startSeconds: Int64

    /// How long the trip was, in milliseconds.
    private let duration: Int64

    /// Creates a profile; `nil` if no time passed.
    package init?(_ moments: [Moment], startSeconds: Int64, duration: Int64) {
        let duration = max(duration, moments.last?.time ?? 0)
        guard moments.count > 1, duration > 0 else { return nil }
        self.moments = moments
        self.startSeconds = startSeconds
        self.duration = duration
    }

    private static let barWidth = 4.0
    private static let mostSamples = 2_500

    /// Moments for a reader who points at the map or the profile: no more than can be told apart.
    package var samples: [Moment] {
        let step = max(1, (moments.count + Self.mostSamples - 1) / Self.mostSamples)
        return moments.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    }

    /// Returns a sentence on a moment: the time of day, and how far the trip had come.
    func sentence(on moment: Moment, _ unit: MapUnit, _ words: MapWords) -> String {
        let clock = Self.clock(startSeconds + moment.time / 1_000, withSeconds: true)
        let hundredths = Int64((moment.sum.meters / unit.meters * 100).rounded())
        return "\(clock) · \(words.number(hundredths, decimals: 2)) \(unit.name)"
    }

    /// Returns where a time stands.
    func x(of time: Int64, in box: Box) -> Double {
        box.origin.x + box.width * Double(time) / Double(duration)
    }

    /// Returns metres per second in each of equal spans of time; `nil` where nothing was measured.
    func speeds(count: Int) -> [Double?] {
        let span = Double(duration) / Double(count)
        var speeds: [Double?] = []
        var index = 0
        for bar in 0..<count {
            let (from, to) = (Double(bar) * span, Double(bar + 1) * span)
            while index + 1 < moments.count, Double(moments[index + 1].time) <= from { index += 1 }
            var (meters, milliseconds) = (0.0, 0.0)
            var next = index
            while next + 1 < moments.count, Double(moments[next].time) < to {
                let (first, second) = (moments[next], moments[next + 1])
                next += 1
                let length = Double(second.time - first.time)
                guard !second.isAfterGap, length > 0 else { continue }
                let common =
                    min(to, Double(second.time)) - max(from, Double(first.time))
                guard common > 0 else { continue }
                meters += (second.sum - first.sum).meters * common / length
                milliseconds += common
            }
            speeds.append(milliseconds > span / 4 ? meters * 1_000 / milliseconds : nil)
        }
        return speeds
    }

    /// Returns what is drawn in a rectangle.
    func items(in box: Box, _ unit: MapUnit, _ words: MapWords) -> [Item] {
        let speeds = speeds(count: Int(box.width / Self.barWidth))
            .map { speed in speed.map { $0 * 3_600 / unit.meters } }
        let top = Self.roundUp(max(10, speeds.compactMap(\.self).max() ?? 0))
        let whole = max((moments.last?.sum ?? .zero).meters / unit.meters, 1e-6)
        let farthest = Self.roundUp(max(whole, 0.1))
        func y(_ share: Double) -> Double { box.bottom - box.height * share }
        var items: [Item] = [
            .path(
                Path(
                    [0, 0.5, 1].map { [Point(box.origin.x, y($0)), Point(box.right, y($0))] },
                    stroke: .grid,
                    width: 0.8
                )
            )
        ]
        items += bars(speeds, top: top, in: box, gap: words.gap)
        let sums = LineThinning.thinned(
            [
                moments.map {
                    Point(x(of: $0.time, in: box), y($0.sum.meters / unit.meters / farthest))
                }
            ],
            tolerance: 0.2,
            most: 2_000
        )
        items.append(.path(Path(sums, stroke: .line2, width: 1.6)))
        for share in [0, 0.5, 1] {
            let (left, right) = (Point(box.origin.x - 6, y(share)), Point(box.right + 6, y(share)))
            let (speed, sum) = (
                Self.number(top * share, words), Self.number(farthest * share, words)
            )
            items.append(.label(axisLabel(speed, at: left, anchor: .end, .line1)))
            items.append(.label(axisLabel(sum, at: right, anchor: .start, .line2)))
        }
        let heading = box.origin.y - 10
        items += [
            .label(
                Label(
                    "\(words.speed), \(unit.name)/h",
                    at: Point(box.origin.x, heading),
                    size: 11,
                    .line1
                )
            ),
            .label(
                Label(
                    "\(words.distance), \(unit.name)",
                    at: Point(box.right, heading),
                    size: 11,
                    anchor: .end,
                    .line2
                )
            ),
        ]
        return items + times(below: box)
    }

    private func axisLabel(
        _ text: String,
        at point: Point,
        anchor: Label.Anchor,
        _ ink: Ink
    ) -> Label {
        Label(text, at: point, offset: Point(0, 4), size: 10.5, anchor: anchor, ink)
    }

    /// Returns the area below the speeds, and the spans in which nothing was measured.
    private func bars(_ speeds: [Double?], top: Double, in box: Box, gap: String) -> [Item] {
        let width = box.width / Double(speeds.count)
        var (areas, lines): ([[Point]], [[Point]]) = ([], [])
        var line: [Point] = []
        for (index, speed) in (speeds + [nil]).enumerated() {
            if let speed {
                let x = box.origin.x + (Double(index) + 0.5) * width
                line.append(Point(x, box.bottom - box.height * speed / top))
            } else if let first = line.first, let last = line.last {
                lines.append(line)
                areas.append(line + [Point(last.x, box.bottom), Point(first.x, box.bottom)])
                line = []
            }
        }
        let gaps = zip(moments, moments.dropFirst()).filter { $1.isAfterGap }
            .map { first, second in
                let (left, right) = (x(of: first.time, in: box), x(of: second.time, in: box))
                return Box(
                    x: left,
                    y: box.origin.y,
                    width: max(right - left, 1),
                    height: box.height
                )
                .outline
            }
        return [
            .path(Path(gaps, fill: .rejected, opacity: 0.14, title: gap)),
            .path(Path(areas, fill: .line1, opacity: 0.16)),
            .path(Path(lines, stroke: .line1, width: 1.4)),
        ]
    }

    /// Returns the times of day below it, at round minutes.
    private func times(below box: Box) -> [Item] {
        let seconds = duration / 1_000
        let steps: [Int64] = [
            10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
        ]
        let step = steps.first { seconds / $0 <= 8 } ?? max(86_400, seconds / 8)
        var items: [Item] = []
        var time = (startSeconds + step - 1) / step * step
        while time <= startSeconds + seconds {
            let x = x(of: (time - startSeconds) * 1_000, in: box)
            items.append(
                .path(
                    Path([[Point(x, box.bottom), Point(x, box.bottom + 4)]], stroke: .faint)
                )
            )
            let text = Self.clock(time, withSeconds: step < 60)
            // At the edges it would reach beyond the page.
            let anchor: Label.Anchor = x > box.right - 16 ? .end : .middle
            items.append(
                .label(
                    Label(text, at: Point(x, box.bottom + 16), size: 10.5, anchor: anchor, .faint)
                )
            )
            time += step
        }
        return items
    }

    /// Returns a time of day.
    static func clock(_ seconds: Int64, withSeconds: Bool) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let text = "\(two(seconds / 3_600 % 24)):\(two(seconds / 60 % 60))"
        return withSeconds ? "\(text):\(two(seconds % 60))" : text
    }

    /// Returns a round number that is not less than a number.
    static func roundUp(_ number: Double) -> Double {
        var power = 1e-6
        while power * 10 <= number { power *= 10 }
        return [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map { $0 * power }.first { $0 >= number }
            ?? 10 * power
    }

    private static func number(_ number: Double, _ words: MapWords) -> String {
        words.shortNumber(Int64((number * 1_000).rounded()), decimals: 3)
    }
}
