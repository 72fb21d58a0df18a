import Geodesy
package import Papers

/// A map with its title, profile and legend, laid out on a page.
package struct MapSheet {
    /// Its size and its parts, in pixels.
    private static let width = 960.0
    private static let margin = 24.0
    private static let mapHeight = 580.0
    private static let profileHeight = 96.0

    private let content: MapContent

    /// Where positions stand.
    package let frame: MapFrame

    /// The rectangle of the profile; `nil` without one.
    package let profileBox: Box?

    /// How far beyond its edges the map is drawn, in its own widths: 1 for a map that can be moved.
    private let surroundings: Double

    /// Lays out a map; `nil` if there is nothing that has a position.
    ///
    /// - Parameters:
    ///   - content: What it shows.
    ///   - surroundings: How far beyond its edges the map is drawn, in its own widths.
    package init?(_ content: MapContent, surroundings: Double = 0) {
        var positions = content.routes.flatMap { $0.pieces.flatMap(\.self) }
        if positions.isEmpty { positions = content.places.map(\.position) }
        guard !positions.isEmpty else { return nil }
        self.content = content
        self.surroundings = surroundings
        let top = 58 + 19 * Double(content.facts.count)
        let box = Box(
            x: Self.margin,
            y: top,
            width: Self.width - 2 * Self.margin,
            height: Self.mapHeight
        )
        frame = MapFrame(fitting: positions, in: box, margin: (84, 62))
        profileBox = content.profile.map { _ in
            Box(
                x: Self.margin + 34,
                y: box.bottom + 42,
                width: box.width - 68,
                height: Self.profileHeight
            )
        }
    }

    /// Draws it.
    package var picture: Picture {
        let layout = RouteLayout(content, frame)
        var legend = MapLegend(
            left: Self.margin,
            right: Self.width - Self.margin,
            top: (profileBox.map { $0.bottom + 26 } ?? frame.box.bottom) + 22
        )
        for entry in layout.legend { legend.add(entry) }
        let remarkTop = legend.bottom + 20
        let height = remarkTop + 16 * Double(content.remarks.count) + 6
        let background = MapBackground(frame, surroundings: surroundings)
        let graticule = Graticule(frame, content.words)
        let locator = LocatorMap(frame)
        let scale = ScaleBar(frame, content.unit, content.words)
        let box = frame.box
        var taken = [scale.box(in: box)]
        if let locator { taken.append(locator.box) }
        let layers: [Layer] = [
            Layer(.map, clip: box, background.ground + [.path(graticule.lines)]),
            Layer(.map, clip: box, layout.lines),
            Layer(.map, clip: box, layout.signs(beside: taken)),
            Layer(.fixed, clip: box, graticule.labels.map { .label($0) }),
            Layer(.fixed, clip: box, scale.items(in: box)),
            Layer(.fixed, clip: locator?.box ?? box, locator?.items ?? []),
            Layer(.fixed, [.path(Path([box.outline + [box.origin]], stroke: .shore))]),
            Layer(.fixed, heading),
            Layer(.fixed, profile),
            Layer(.fixed, legend.items),
            Layer(.fixed, remarks(from: remarkTop)),
        ]
        let page = Page(
            width: Self.width,
            height: height,
            layers: layers.filter { !$0.items.isEmpty }
        )
        return Picture(title: content.title, pages: [page])
    }

    private var heading: [Item] {
        let room = Self.width - 2 * Self.margin
        let title = TextWidth.fittingEnds(content.title, size: 20 * 1.15, into: room)
        let facts = content.facts.enumerated()
            .map { index, fact in
                Item.label(
                    Label(
                        TextWidth.fitting(fact, size: 13, into: room),
                        at: Point(Self.margin, 60 + 19 * Double(index)),
                        .faint
                    )
                )
            }
        let line = Label(title, at: Point(Self.margin, 36), size: 20, isBold: true)
        return [.label(line)] + facts
    }

    private var profile: [Item] {
        guard let profile = content.profile, let profileBox else { return [] }
        return profile.items(in: profileBox, content.unit, content.words)
    }

    private func remarks(from top: Double) -> [Item] {
        content.remarks.enumerated()
            .map { index, remark in
                .label(
                    Label(
                        TextWidth.fitting(
                            remark,
                            size: 10.5,
                            into: Self.width - 2 * Self.margin
                        ),
                        at: Point(Self.margin, top + 16 * Double(index)),
                        size: 10.5,
                        .faint
                    )
                )
            }
    }
}

/// What signs and lines mean, in as many columns as there is room for.
struct MapLegend {
    /// A sign or a line, and what it means.
    struct Entry {
        enum Sign {
            case line(Ink, width: Double, isDashed: Bool)
            case mark(Mark.Shape, Ink)
        }

        let sign: Sign
        let text: String
    }

    private static let rowHeight = 20.0
    private static let textSize = 12.0
    private static let signWidth = 30.0
    private static let gap = 24.0

    private let left: Double
    private let right: Double
    private var x: Double
    private var y: Double

    /// What is drawn.
    private(set) var items: [Item] = []

    /// The lower edge; the upper one if the legend is empty.
    var bottom: Double { items.isEmpty ? y - Self.rowHeight : y }

    /// Creates a legend without entries.
    init(left: Double, right: Double, top: Double) {
        self.left = left
        self.right = right
        x = left
        y = top
    }

    /// Adds an entry: in the same row if it fits.
    mutating func add(_ entry: Entry) {
        let room = right - left - Self.signWidth
        let text = TextWidth.fitting(entry.text, size: Self.textSize, into: room)
        let width = Self.signWidth + TextWidth.estimate(text) * Self.textSize
        if x > left, x + width > right {
            x = left
            y += Self.rowHeight
        }
        switch entry.sign {
        case .line(let ink, let width, let isDashed):
            let line = [Point(x, y - 4), Point(x + 22, y - 4)]
            items.append(
                .path(Path([line], stroke: ink, width: width, dash: isDashed ? 5 : nil))
            )
        case .mark(let shape, let ink):
            items.append(.mark(Mark(shape, at: Point(x + 11, y - 4), radius: 4.5, ink)))
        }
        let label = Label(text, at: Point(x + Self.signWidth, y), size: Self.textSize)
        items.append(.label(label))
        x += width + Self.gap
    }
}
