import EmbeddedFiles
import Geodesy
import JSONText
import Papers

/// A map as one self-contained HTML page: it can be moved and enlarged, and shows the details of
/// the moment under the pointer.
///
/// Its policy permits no other script, and no requests except for tiles, if the reader gave their
/// address.
package struct MapPage {
    /// The address of tiles, with `{z}`, `{x}` and `{y}` in it.
    package struct Tiles: Sendable {
        /// The address.
        let template: String

        /// Its origin, as the page's policy names it.
        let origin: String

        /// Creates an address; `nil` if the template is not one.
        package init?(_ template: String) {
            let parts = template.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count > 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty,
                !parts[2].isEmpty,
                parts[2].utf8.allSatisfy({ Self.isOfHost($0) }),
                ["{z}", "{x}", "{y}"].allSatisfy({ template.contains($0) }),
                template.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            self.template = template
            origin = "\(parts[0])//\(parts[2])"
        }

        private static func isOfHost(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
    }

    /// The SHA-256 of the script in Base64, by which the policy permits it.
    package static let scriptDigest = "l030PSJo0FlQbJ/6gJiSMKKAtBVd/Yy9pILPChy1KCI="

    /// The script.
    package static var script: [UInt8] { EmbeddedFolder.maps["map.js"] }

    private static let styleSheet = """
        :root{color-scheme:light dark}
        body{margin:0;background:#fff;font-family:"DejaVu Sans","Noto Sans",sans-serif}
        main{position:relative;max-width:1200px;margin:0 auto}
        svg{display:block;width:100%;height:auto;touch-action:pan-y}
        svg.moved{touch-action:none}
        .ground path{vector-effect:non-scaling-stroke}
        #buttons{position:absolute;display:flex;gap:4px}
        #buttons[hidden]{display:none}
        button{font:inherit;min-width:32px;height:32px;padding:0 8px;border-radius:4px;\
        border:1px solid #93a9b5;background:#fff;color:#1f252b;cursor:pointer}
        #tip{position:fixed;padding:4px 8px;border-radius:4px;font-size:13px;pointer-events:none;\
        background:#1f252b;color:#fff;white-space:nowrap}
        @media (prefers-color-scheme:dark){
        body{background:#16191d}
        button{background:#22262a;color:#e8eaec;border-color:#52687a}
        #tip{background:#e8eaec;color:#1f252b}
        }
        @media print{#buttons{display:none}}

        """

    private let content: MapContent
    private let sheet: MapSheet
    private let tiles: Tiles?

    /// Prepares a page; `nil` if there is nothing that has a position.
    package init?(_ content: MapContent, tiles: Tiles?) {
        guard let sheet = MapSheet(content, surroundings: 1) else { return nil }
        self.content = content
        self.sheet = sheet
        self.tiles = tiles
    }

    /// Whether tiles fit the map: they end where it shows a pole.
    package var canHaveTiles: Bool {
        if case .mercator = sheet.frame.projection { true } else { false }
    }

    /// Appends the page.
    package func append(to bytes: inout [UInt8]) {
        let picture = sheet.picture
        let words = content.words
        let images = tiles.map { "; img-src \($0.origin)" } ?? ""
        bytes +=
            """
            <!DOCTYPE html>
            <html lang="\(content.words.language)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta name="referrer" content="\(tiles == nil ? "no-referrer" : "origin")">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; script-src 'sha256-\(Self.scriptDigest)'\(images)">

            """
            .utf8
        XMLElement.appendShown("title", picture.title, to: &bytes)
        bytes += "\n<style>\n\(SVGWriter.styleSheet)\(Self.styleSheet)</style>\n</head>\n".utf8
        bytes += "<body>\n<main>\n".utf8
        var writer = SVGWriter(.page)
        for page in picture.pages { writer.append(page, titled: picture.title, to: &bytes) }
        bytes +=
            """
            <div id="buttons" hidden>
            <button id="in" title="\(words.enlarge) (+)">+</button>
            <button id="out" title="\(words.showMore) (-)">−</button>
            <button id="all" title="\(words.showAll) (0)">\(words.all)</button>
            </div>
            </main>
            <div id="tip" role="status" hidden></div>
            <script type="application/json" id="data">
            """
            .utf8
        appendData(to: &bytes)
        bytes += "</script>\n<script>".utf8
        bytes += Self.script
        bytes += "</script>\n</body>\n</html>\n".utf8
    }

    /// Appends the script's data about the map; `<` is escaped so that nothing ends the element.
    private func appendData(to bytes: inout [UInt8]) {
        var data: [UInt8] = []
        let frame = sheet.frame
        let middle = frame.projection.middle * .pi / 180
        let corner = frame.onPage(Point(-Double.pi - middle, -Double.pi))
        data += "{\"box\":\(Self.text(frame.box)),\"scale\":\(frame.scale)".utf8
        data += ",\"west\":\(corner.x),\"north\":\(corner.y)".utf8
        if let tiles, canHaveTiles {
            data += ",\"tiles\":".utf8
            JSONWriter.append(tiles.template, to: &data)
        }
        if let profile = content.profile, let box = sheet.profileBox {
            data += ",\"profile\":\(Self.text(box)),\"samples\":[".utf8
            for (index, sample) in profile.samples.enumerated() {
                if index > 0 { data += ",\n".utf8 }
                let point = frame.point(sample.position)
                let share = (profile.x(of: sample.time, in: box) - box.origin.x) / box.width
                data += "[\(SVGWriter.number(point.x)),\(SVGWriter.number(point.y)),".utf8
                data += "\(Double(Int(share * 10_000)) / 10_000),".utf8
                let sentence = profile.sentence(on: sample, content.unit, content.words)
                JSONWriter.append(sentence, to: &data)
                data += "]".utf8
            }
            data += "]".utf8
        }
        data += "}".utf8
        for byte in data {
            if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
        }
    }

    private static func text(_ box: Box) -> String {
        let numbers = [box.origin.x, box.origin.y, box.width, box.height]
        return "[\(numbers.map { SVGWriter.number($0) }.joined(separator: ","))]"
    }
}
