import DriveSimulation
import ServerStore
import TestSupport
import Testing

/// The values that may be given for tiles, and their effect on the policy of a page.
@Suite struct MapTilesTests {
    private static let words = "© Example"

    @Test(arguments: [
        ("https://tile.example.org/{z}/{x}/{y}.png", "https://tile.example.org"),
        ("https://Tile.Example.org:8443/a/{z}/{y}/{x}@2x.png", "https://tile.example.org:8443"),
        ("https://example.org/wmts?l=a&z={z}&x={x}&y={y}&k=%20~*", "https://example.org"),
        ("http://127.0.0.1:8080/{z}/{x}/{y}", "http://127.0.0.1:8080"),
        ("http://localhost/{z}/{x}/{y}", "http://localhost"),
    ])
    func `an address has its origin`(address: String, origin: String) throws {
        let tiles = try MapTiles(address, attribution: Self.words)
        #expect(tiles.origin == origin)
        #expect(tiles.template == address)
        #expect(tiles.attribution == Self.words)
    }

    @Test(arguments: [
        ("", "is no address"), ("tile.example.org/{z}/{x}/{y}", "is no address"),
        ("ftp://tile.example.org/{z}/{x}/{y}", "is no address"),
        ("https:///{z}/{x}/{y}", "is no address"),
        ("https://a b/{z}/{x}/{y}", "is no address"),
        ("https://tile.example.org/ {z}/{x}/{y}", "is no address"),
        ("https://tile.example.org/{z}/{x}/{y}\"", "is no address"),
        ("https://tile.example.org/{z}/{x}/{y}#a", "is no address"),
        ("https://tile.example.org;script-src *//{z}/{x}/{y}", "is no address"),
        ("https://eva:secret@tile.example.org/{z}/{x}/{y}", "is no address"),
        ("https://tile.example.org:0/{z}/{x}/{y}", "is no address"),
        ("https://tile.example.org:+80/{z}/{x}/{y}", "is no address"),
        ("https://tile.example.org:70000/{z}/{x}/{y}", "is no address"),
        ("https://[2001:db8::1]/{z}/{x}/{y}", "is no address"),
        ("https://*.example.org/{z}/{x}/{y}", "is no address"),
        ("https://tile.exämple.org/{z}/{x}/{y}", "is no address"),
        ("http://tile.example.org/{z}/{x}/{y}", "in the clear"),
        ("http://127.0.0.1.example.org/{z}/{x}/{y}", "in the clear"),
        ("http://localhost.example.org/{z}/{x}/{y}", "in the clear"),
        ("https://{s}.tile.example.org/{z}/{x}/{y}", "no single server"),
        ("https://tile.example.org", "no {z}"),
        ("https://tile.example.org?{z}/{x}/{y}", "no single server"),
        ("https://tile.example.org/{z}/{x}", "no {y}"),
        ("https://tile.example.org/{z}/{y}/x", "no {x}"),
        ("https://tile.example.org/{z}/{x}/{y}{r}.png", "something else"),
        ("https://tile.example.org/{z}/{x}/{y}/{", "something else"),
    ])
    func `what is none is refused, and it is said why`(address: String, reason: String) {
        let fault = #expect(throws: MapTiles.Fault.self) {
            try MapTiles(address, attribution: Self.words)
        }
        #expect(fault?.description.contains(reason) == true, "\(fault as Any)")
    }

    @Test(arguments: [
        "", " \u{A0}", "a\nb", "a\u{7F}", "a\u{2028}", String(repeating: "ä", count: 251),
    ])
    func `tiles without a line that says whose they are are refused`(attribution: String) {
        #expect(throws: MapTiles.Fault.self) {
            try MapTiles("https://tile.example.org/{z}/{x}/{y}", attribution: attribution)
        }
    }

    @Test(arguments: Seeds.fresh(16))
    func `whatever is taken, its origin is one source of a policy and where it leads`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "https://", "http://", "tile.example.org", "127.0.0.1", "localhost", ":8080", ":", "/",
            "{z}", "{x}", "{y}", "{s}", "{", ";", ",", " ", "'", "\"", "*", "@", "?", "#", "%20",
            "\\", "ä", "\n", "..", "-", "data:", "//",
        ]
        let whole = ["https://", "tile.example.org", "/", "{z}", "/", "{x}", "/", "{y}"]
        var taken = 0
        for _ in 0..<2_000 {
            var words = whole
            for _ in 0..<(random.next() % 3) {
                let place = Int(random.next() % UInt64(words.count))
                let piece = pieces[Int(random.next() % UInt64(pieces.count))]
                if random.next() % 2 == 0 {
                    words[place] = piece
                } else {
                    words.insert(piece, at: place)
                }
            }
            let address = words.joined()
            guard let tiles = try? MapTiles(address, attribution: Self.words) else { continue }
            taken += 1
            let source = #/https?:\/\/[a-z0-9.\-]+(:[0-9]+)?/#
            #expect(tiles.origin.wholeMatch(of: source) != nil, "seed \(seed): \(address)")
            #expect(address.lowercased().hasPrefix("\(tiles.origin)/"), "seed \(seed): \(address)")
            let isSafe =
                address.hasPrefix("https://")
                || ["http://127.0.0.1", "http://localhost"]
                    .contains {
                        tiles.origin == $0 || tiles.origin.hasPrefix("\($0):")
                    }
            #expect(isSafe, "seed \(seed): \(address)")
        }
        #expect(taken > 200, "seed \(seed): \(taken) were taken")
    }
}
