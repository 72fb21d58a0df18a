import EmbeddedFiles

/// The outlines of land and countries, coarsely: they may be a few kilometres off.
///
/// Natural Earth 1:50m (naturalearthdata.com), which is in the public domain, as
/// `tools/basemap/make` packed it; that script describes the form.
struct LandOutlines: Sendable {
    /// A point in hundredths of a degree.
    struct Corner: Hashable, Sendable {
        let longitude: Int
        let latitude: Int
    }

    /// A line between corners.
    struct Line: Sendable {
        let corners: [Corner]
        let longitudes: ClosedRange<Int>
        let latitudes: ClosedRange<Int>
    }

    private static let signature = Array("TLMAP1\n".utf8)

    /// The outlines of land; each ends where it began.
    let shores: [Line]

    /// Where countries meet.
    let borders: [Line]

    /// The outlines that are part of the program.
    static let all = LandOutlines(EmbeddedFolder.maps["land.bin"])

    /// Reads outlines.
    init(_ bytes: [UInt8]) {
        precondition(bytes.starts(with: Self.signature), "the outlines of land are no outlines")
        var reader = Reader(bytes: bytes, position: Self.signature.count)
        shores = reader.lines(closed: true)
        borders = reader.lines(closed: false)
    }

    private struct Reader {
        let bytes: [UInt8]
        var position: Int

        mutating func lines(closed: Bool) -> [Line] {
            (0..<number()).map { _ in line(closed: closed) }
        }

        private mutating func line(closed: Bool) -> Line {
            let count = number()
            var corners: [Corner] = []
            corners.reserveCapacity(count + 1)
            var (longitude, latitude) = (0, 0)
            var (west, east, south, north) = (Int.max, Int.min, Int.max, Int.min)
            for _ in 0..<count {
                longitude += step()
                latitude += step()
                (west, east) = (min(west, longitude), max(east, longitude))
                (south, north) = (min(south, latitude), max(north, latitude))
                corners.append(Corner(longitude: longitude, latitude: latitude))
            }
            if closed, let first = corners.first { corners.append(first) }
            return Line(corners: corners, longitudes: west...east, latitudes: south...north)
        }

        private mutating func step() -> Int {
            let number = number()
            return number % 2 == 0 ? number / 2 : -(number + 1) / 2
        }

        private mutating func number() -> Int {
            var (number, shift) = (0, 0)
            while true {
                let byte = bytes[position]
                position += 1
                number |= Int(byte & 127) << shift
                guard byte > 127 else { return number }
                shift += 7
            }
        }
    }
}
