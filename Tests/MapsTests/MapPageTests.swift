import DriveSimulation
import Geodesy
import Importers
import Proofs
import TestSupport
import Testing

@testable import Maps
@testable import Papers

/// Maps as pages and pictures.
@Suite struct MapPageTests {
    /// The characters that turn the direction of what follows (UAX #9).
    private static let turning =
        "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"

    private static let hostile =
        "</script><img src=x onerror=alert(1)>&\"'\u{1}]]> 東京 \u{202E}12 \(turning)"

    private static func content(seed: UInt64) -> MapContent {
        let positions = MapFrameTests.drive(seed: seed)
        var route = MapRoute(name: hostile, title: hostile, .line1)
        for (index, position) in positions.enumerated() {
            route.add(position, isAfterGap: index % 20 == 19)
        }
        route.ends = (hostile, "End")
        var content = MapContent(
            title: hostile,
            facts: [hostile],
            unit: MapUnit(name: "mi", meters: 1_609.344)
        )
        content.routes = [route]
        content.rejected = [RejectedFix(positions[3], verdict: "spike", title: hostile)]
        content.places = [MapPlace(positions[5], radiusMeters: 500, name: hostile, weight: 1)]
        content.profile = SpeedProfile(
            positions.enumerated()
                .map { index, position in
                    SpeedProfile.Moment(
                        time: Int64(index) * 10_000,
                        sum: Distance(millimeters: Int64(index) * 90_000),
                        position: position,
                        isAfterGap: index % 20 == 19
                    )
                },
            startSeconds: 86_000,
            duration: 500_000
        )
        content.remarks = [hostile]
        return content
    }

    private static func page(seed: UInt64, tiles: String? = nil) throws -> [UInt8] {
        let page = MapPage(content(seed: seed), tiles: tiles.flatMap { MapPage.Tiles($0) })
        var bytes: [UInt8] = []
        try #require(page).append(to: &bytes)
        return bytes
    }

    private static func svg(seed: UInt64) throws -> [UInt8] {
        let picture = try #require(MapSheet(content(seed: seed))).picture
        var writer = SVGWriter(.file)
        var bytes: [UInt8] = []
        writer.append(try #require(picture.pages.first), titled: picture.title, to: &bytes)
        return bytes
    }

    @Test(arguments: Seeds.fresh(40))
    func `a picture is XML, whatever things are called, and the same each time`(
        seed: UInt64
    ) throws {
        let bytes = try Self.svg(seed: seed)
        #expect(try bytes == Self.svg(seed: seed), "seed \(seed)")
        var count = 0
        try XMLScanner().read(bytes.span, isLast: true) { count += $0.tokens.count }
        #expect(count > 100, "seed \(seed)")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("<img"), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(10))
    func `no name turns what stands beside it`(seed: UInt64) throws {
        for bytes in try [Self.svg(seed: seed), Self.page(seed: seed)] {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("東京 \u{FFFD}12"), "seed \(seed)")
            #expect(!text.unicodeScalars.contains(where: Self.turning.unicodeScalars.contains))
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `no number of a picture is none`(seed: UInt64) throws {
        let text = String(decoding: try Self.svg(seed: seed), as: UTF8.self)
        #expect(!text.contains("nan") && !text.contains("inf"), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(20))
    func `a page asks for nothing, and no name becomes an element`(seed: UInt64) throws {
        let text = String(decoding: try Self.page(seed: seed), as: UTF8.self)
        let known = ["http://www.w3.org/2000/svg"]
        let addresses = text.split(separator: "\"").filter { $0.contains("://") }
        #expect(addresses.allSatisfy { known.contains(String($0)) }, "seed \(seed)")
        #expect(!text.contains("<img") && !text.contains("img-src"), "seed \(seed)")
        #expect(text.components(of: "</script>") == 2, "seed \(seed)")
    }

    @Test func `a page with tiles may ask their server, and no other one`() throws {
        let address = "https://tile.example.org:8080/a/{z}/{x}/{y}.png?k=1"
        let text = String(decoding: try Self.page(seed: 7, tiles: address), as: UTF8.self)
        #expect(text.contains("; img-src https://tile.example.org:8080\">"))
    }

    @Test(arguments: [
        "tile.example.org/{z}/{x}/{y}.png", "https://tile.example.org/{z}/{x}.png",
        "javascript://x/{z}/{x}/{y}", "https://a b/{z}/{x}/{y}", "https:///{z}/{x}/{y}",
        "https://x';script-src */{z}/{x}/{y}", "https://x.org/{z}/{x}/{y}\n",
    ])
    func `what is no address of tiles is none`(address: String) {
        #expect(MapPage.Tiles(address) == nil)
    }

    @Test func `the policy of a page knows its script`() {
        let digest = SHA256.digest(MapPage.script.span).bytes
        #expect(Base64.text(digest.indices.map { digest[$0] }) == MapPage.scriptDigest)
    }

    @Test func `the points of a line are rounded once`() {
        let line = (0..<1_000).map { Point(Double($0) / 3, Double($0) / 7) }
        var writer = SVGWriter(.file)
        var bytes: [UInt8] = []
        let page = Page(
            width: 400,
            height: 200,
            layers: [Layer(.fixed, [.path(Path([line], stroke: .text))])]
        )
        writer.append(page, titled: "line", to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        let path = text.split(separator: " d=\"").last?.prefix { $0 != "\"" } ?? ""
        var numbers: [Double] = []
        var number = ""
        for character in path + " " {
            if !number.isEmpty, " -Ml".contains(character) {
                numbers.append(Double(number) ?? .nan)
                number = ""
            }
            if !" Ml".contains(character) { number.append(character) }
        }
        #expect(numbers.count == 2 * line.count)
        var (x, y) = (0.0, 0.0)
        for (index, point) in line.enumerated() {
            x += numbers[2 * index]
            y += numbers[2 * index + 1]
            #expect(abs(x - point.x) < 0.005_001 && abs(y - point.y) < 0.005_001)
        }
    }

    @Test func `a map without a position is none`() {
        let content = MapContent(
            title: "Nothing",
            facts: [],
            unit: MapUnit(name: "km", meters: 1_000)
        )
        #expect(MapSheet(content) == nil)
    }
}

extension String {
    /// Returns how often a text is in this one.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
