/// A QR code (ISO/IEC 18004): bytes as a square of dark and light modules that a camera can read.
///
/// It is always of error correction level M, which withstands damage to 15% of it.
package struct QRCode: Hashable, Sendable {
    /// The modules, row by row; dark ones are `true`.
    package let modules: [[Bool]]

    /// The number of modules on a side.
    package var side: Int { modules.count }

    /// Encodes bytes in the smallest version that holds them.
    ///
    /// - Returns: `nil` if there are more than 2,331 bytes, which the largest version holds.
    package init?(_ bytes: [UInt8]) {
        guard let version = (1...40).map(QRVersion.init).first(where: { $0.holds(bytes.count) })
        else { return nil }
        let codewords = QRCodewords(bytes, in: version).interleaved
        let drawn = (0..<8)
            .map { mask in
                var matrix = QRMatrix(version)
                matrix.draw(codewords, mask: mask)
                return matrix
            }
        // Of equally good ones the first is taken.
        let best = drawn.min { $0.penalty < $1.penalty }
        modules = best?.modules ?? []
    }

    /// The code for a terminal: two rows of modules on a line, with the margin of four modules that
    /// cameras need.
    ///
    /// Light modules are drawn and dark ones left out, so that it is right on a dark screen; most
    /// cameras read the reverse, on a light one, as well.
    package var text: String {
        let margin = 4
        let range = -margin..<side + margin
        var text = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): text += "\u{2588}"
                case (true, false): text += "\u{2580}"
                case (false, true): text += "\u{2584}"
                case (false, false): text += " "
                }
            }
            text += "\n"
        }
        return text
    }

    private func isLight(_ row: Int, _ column: Int) -> Bool {
        guard modules.indices.contains(row), modules.indices.contains(column) else { return true }
        return !modules[row][column]
    }
}
