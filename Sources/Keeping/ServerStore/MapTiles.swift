/// The source of tiles for the maps of the page, with its attribution.
///
/// Every browser that shows a map asks that server, and no other. The requested tiles show where
/// trips went, so nothing is requested without the owner's consent.
package struct MapTiles: Hashable, Sendable {
    /// The address of a tile, with `{z}`, `{x}` and `{y}` for its zoom, column and row.
    package let template: String

    /// Scheme, host and port of the address, as a source of a page's policy.
    package let origin: String

    /// The text that must stand beside the map; addresses in it may become links.
    package let attribution: String

    /// Why a source of tiles is refused, and what to do, as sentences.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        /// The sentences.
        package let description: String

        init(_ description: String) { self.description = description }
    }

    private static let example = "https://tile.example.org/{z}/{x}/{y}.png"
    private static let places = ["{z}", "{x}", "{y}"]

    /// The most bytes of an attribution.
    private static let mostBytes = 500

    /// Reads the given template and attribution.
    ///
    /// - Throws: The error in them.
    package init(_ template: String, attribution: String) throws(Fault) {
        let (secret, plain) = ("https://", "http://")
        let isPlain = template.hasPrefix(plain)
        guard isPlain || template.hasPrefix(secret) else { throw Self.notAnAddress }
        let scheme = isPlain ? plain : secret
        let host = template.dropFirst(scheme.count).prefix { $0 != "/" }
        guard !host.contains("{") else {
            throw Fault(
                "--tiles names no single server: write one of its names in place of the braces, "
                    + "such as \(Self.example)."
            )
        }
        let path = template.dropFirst(scheme.count + host.count)
        guard let name = Self.name(of: host), path.utf8.allSatisfy(Self.isOfAddress) else {
            throw Self.notAnAddress
        }
        guard !isPlain || Self.isThisMachine(name) else {
            throw Fault(
                "--tiles would ask for tiles in the clear: write https://, or, for a server on "
                    + "this machine, http://127.0.0.1:PORT/."
            )
        }
        try Self.checkPlaces(in: path)
        try Self.check(attribution)
        self.template = template
        origin = scheme + host.lowercased()
        self.attribution = attribution
    }

    private static let notAnAddress = Fault(
        "--tiles is no address of tiles: it begins with https://, a name and /, and has no spaces, "
            + "such as \(example)."
    )

    private static func checkPlaces(in path: Substring) throws(Fault) {
        var rest = String(path)
        for place in places {
            guard path.contains(place) else {
                throw Fault("--tiles has no \(place): an address of tiles is like \(example).")
            }
            rest = rest.replacing(place, with: "")
        }
        guard !rest.contains("{"), !rest.contains("}") else {
            throw Fault(
                "--tiles has braces with something else in them than z, x or y: write what is to "
                    + "stand there."
            )
        }
    }

    private static func check(_ attribution: String) throws(Fault) {
        let isShown = attribution.unicodeScalars.contains { !$0.properties.isWhitespace }
        guard isShown else {
            throw Fault(
                "--tiles needs --attribution: what the makers of the tiles want to be shown, such "
                    + "as '© OpenStreetMap contributors https://www.openstreetmap.org/copyright'."
            )
        }
        let isLine = attribution.unicodeScalars
            .allSatisfy { ![.control, .lineSeparator].contains($0.properties.generalCategory) }
        guard isLine, attribution.utf8.count <= mostBytes else {
            throw Fault("--attribution is one line of at most \(mostBytes) bytes.")
        }
    }

    /// Returns the name of a host that may have a port; `nil` if a page's policy cannot name it: it
    /// cannot name an IPv6 address.
    private static func name(of host: Substring) -> Substring? {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isOfName) else {
            return nil
        }
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(parts[1]), port > 0
            else { return nil }
        }
        return parts[0]
    }

    private static func isThisMachine(_ name: Substring) -> Bool {
        name.lowercased() == "localhost" || name == "127.0.0.1"
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Whether a byte may stand in a path or query as it is (RFC 3986), braces besides.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }
}
