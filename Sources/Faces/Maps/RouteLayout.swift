import Geodesy
import Papers

/// Routes, places and fixes that were not counted, as they are drawn.
struct RouteLayout {
    /// More points than these make a file slow.
    private static let mostPoints = 60_000

    /// More crosses than these cover the map.
    private static let mostRejected = 2_000

    private let content: MapContent
    private let frame: MapFrame
    private let heat: RouteHeat?

    /// The pieces of each route, on the page.
    private let routes: [[[Point]]]

    /// Lays routes out.
    init(_ content: MapContent, _ frame: MapFrame) {
        self.content = content
        self.frame = frame
        let whole = content.routes.map { route in
            route.pieces.map { piece in Self.joined(piece.map { frame.point($0) }, in: frame) }
        }
        if content.isHeat {
            heat = RouteHeat(
                whole,
                metersPerPixel: frame.metersPerPixel(at: frame.box.center)
            )
            routes = whole
            return
        }
        heat = nil
        // All routes get the same tolerance, so that none is coarser than the others.
        let thin = LineThinning.thinned(
            whole.flatMap(\.self),
            tolerance: 0.02,
            most: Self.mostPoints
        )
        var rest = thin[...]
        routes = whole.map { pieces in
            defer { rest = rest.dropFirst(pieces.count) }
            return Array(rest.prefix(pieces.count))
        }
    }

    /// Keeps a line that crosses the edge of the earth's map from running back across all of it.
    private static func joined(_ line: [Point], in frame: MapFrame) -> [Point] {
        guard case .mercator = frame.projection else { return line }
        let around = 2 * Double.pi * frame.scale
        var joined: [Point] = []
        for var point in line {
            if let last = joined.last {
                point.x -= around * ((point.x - last.x) / around).rounded()
            }
            joined.append(point)
        }
        return joined
    }

    /// The lines of routes, with gaps as dashes.
    var lines: [Item] {
        if let heat {
            return heat.classes.enumerated()
                .map { index, level in
                    .path(
                        Path(
                            level.lines,
                            stroke: level.ink,
                            width: 1.4 + 0.4 * Double(index),
                            opacity: 0.85
                        )
                    )
                }
        }
        var items: [Item] = []
        for (route, pieces) in zip(content.routes, routes) {
            let gaps = zip(pieces, pieces.dropFirst())
                .compactMap { before, after -> [Point]? in
                    guard let last = before.last, let first = after.first else { return nil }
                    return [last, first]
                }
            if !gaps.isEmpty {
                items.append(
                    .path(
                        Path(
                            gaps,
                            stroke: route.ink,
                            width: 1.8,
                            dash: 5,
                            opacity: 0.9,
                            title: "\(route.title), \(content.words.gap)"
                        )
                    )
                )
            }
            items.append(.path(Path(pieces, stroke: .casing, width: 5, opacity: 0.8)))
            items.append(.path(Path(pieces, stroke: route.ink, width: 2.6, title: route.title)))
        }
        return items
    }

    /// The signs on the map and their names, clear of what is there already.
    func signs(beside taken: [Box]) -> [Item] {
        var placer = LabelPlacer(frame.box, taken: taken)
        var (signs, names): ([Item], [Item]) = ([], [])
        for fix in content.rejected.prefix(Self.mostRejected) {
            let point = frame.point(fix.position)
            signs.append(
                .mark(Mark(.cross, at: point, radius: 4, .rejected, title: fix.title))
            )
        }
        // Others may be moved into the map.
        let region = frame.box.expanded(by: frame.box.width, frame.box.height)
        let places = content.places.filter { region.contains(frame.point($0.position)) }
        let ends = ends
        for place in places { placer.reserve(frame.point(place.position), radius: 5) }
        for end in ends { placer.reserve(end.point, radius: 6) }
        for end in ends {
            signs.append(
                .mark(Mark(end.shape, at: end.point, radius: 5.5, end.ink, title: end.text))
            )
            let label = placer.place(
                end.text,
                at: end.point,
                radius: 6,
                size: 12.5,
                isBold: true,
                end.ink
            )
            if let label { names.append(.label(label)) }
        }
        for place in places.sorted(by: { $0.weight > $1.weight }) {
            let point = frame.point(place.position)
            let radius = place.radiusMeters / frame.metersPerPixel(at: point)
            if radius > 8 { signs.append(circle(around: point, radius: radius)) }
            signs.append(.mark(Mark(.ring, at: point, radius: 4.5, .place, title: place.name)))
            let label = placer.place(
                TextWidth.fittingEnds(
                    place.name,
                    size: MapPlace.letterSize,
                    into: MapPlace.widestName
                ),
                at: point,
                radius: 5,
                size: MapPlace.letterSize,
                .place
            )
            if let label { names.append(.label(label)) }
        }
        return signs + names
    }

    /// Returns a place's circle, which grows with the map.
    private func circle(around point: Point, radius: Double) -> Item {
        .path(
            Path(
                [CirclePoints.around(point, radius: radius)],
                fill: .place,
                stroke: .place,
                width: 0.8,
                opacity: 0.16
            )
        )
    }

    private func isSeen(_ position: Coordinate) -> Bool {
        frame.box.contains(frame.point(position))
    }

    /// The ends of routes that have words beside them; those of several trips at one place once.
    private var ends: [(point: Point, text: String, shape: Mark.Shape, ink: Ink)] {
        guard !content.isHeat else { return [] }
        return zip(content.routes, routes)
            .flatMap {
                route,
                pieces -> [(point: Point, text: String, shape: Mark.Shape, ink: Ink)] in
                guard let words = route.ends, let first = pieces.first?.first,
                    let last = pieces.last?.last
                else { return [] }
                return [(first, words.start, .disc, .start), (last, words.end, .square, .end)]
            }
    }

    /// What signs and lines mean.
    var legend: [MapLegend.Entry] {
        let words = content.words
        if let heat {
            return heat.classes.enumerated()
                .map { index, level in
                    let (least, most) = (level.counts.lowerBound, level.counts.upperBound)
                    let number = least == most ? "\(least)" : "\(least) \(words.to) \(most)"
                    return MapLegend.Entry(
                        sign: .line(level.ink, width: 2 + 0.5 * Double(index), isDashed: false),
                        text: "\(number) \(most == 1 ? words.trip : words.trips)"
                    )
                } + placesEntry
        }
        var entries: [MapLegend.Entry] = []
        var named: Set<String> = []
        for route in content.routes where named.insert(route.name).inserted {
            entries.append(
                MapLegend.Entry(
                    sign: .line(route.ink, width: 2.6, isDashed: false),
                    text: route.name
                )
            )
        }
        if content.routes.contains(where: { $0.pieces.count > 1 }) {
            let ink = content.routes.count == 1 ? content.routes[0].ink : .faint
            entries.append(
                MapLegend.Entry(
                    sign: .line(ink, width: 1.8, isDashed: true),
                    text: words.gap
                )
            )
        }
        return entries + rejectedEntries + placesEntry
    }

    private var rejectedEntries: [MapLegend.Entry] {
        var counts: [(verdict: String, count: Int)] = []
        for fix in content.rejected {
            if let index = counts.firstIndex(where: { $0.verdict == fix.verdict }) {
                counts[index].count += 1
            } else {
                counts.append((fix.verdict, 1))
            }
        }
        guard !counts.isEmpty else { return [] }
        let reasons = counts.map { "\($0.verdict) \($0.count)" }.joined(separator: ", ")
        let shown = content.rejected.prefix(Self.mostRejected)
        let beyond = shown.count { !isSeen($0.position) } + content.rejected.count - shown.count
        let remark = beyond > 0 ? " (\(beyond) \(content.words.notShown))" : ""
        return [
            MapLegend.Entry(
                sign: .mark(.cross, .rejected),
                text: "\(content.words.notCounted): \(reasons)\(remark)"
            )
        ]
    }

    private var placesEntry: [MapLegend.Entry] {
        guard content.places.contains(where: { isSeen($0.position) }) else { return [] }
        return [MapLegend.Entry(sign: .mark(.ring, .place), text: content.words.place)]
    }
}
