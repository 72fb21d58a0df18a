/// The place of a tile of hashes or of a bundle of entries, as C2SP tlog-tiles names it.
package struct TilePlace: Hashable, Sendable {
    /// The kind of content.
    enum Content: Hashable, Sendable {
        /// Hashes over 256^level entries each; those of level 0 are the entries' own.
        case hashes(level: Int)

        /// The entries themselves.
        case entries
    }

    /// The hashes of a full tile, and the entries of a full bundle.
    static let fullWidth = 256

    /// The highest level that a path may name; no log is so long.
    private static let highestLevel = 63

    /// The kind of content.
    let content: Content

    /// Its number among those of its level, or among the bundles.
    let index: UInt64

    /// How many hashes or entries it has: 1 … ``fullWidth``.
    let width: Int

    /// Names a place.
    init(_ content: Content, _ index: UInt64, width: Int) {
        precondition((1...Self.fullWidth).contains(width), "No tile is empty or more than full.")
        self.content = content
        self.index = index
        self.width = width
    }

    /// Reads what stands behind `tile/`, such as `0/x001/067` or `entries/000.p/11`, or returns
    /// `nil` if it is not written as the format writes it.
    package init?(path: String) {
        var words = path.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count > 1 else { return nil }
        let level = words.removeFirst()
        if level == "entries" {
            content = .entries
        } else {
            guard let level = Int(level), (0...Self.highestLevel).contains(level) else {
                return nil
            }
            content = .hashes(level: level)
        }
        if words.count > 1, words[words.count - 2].hasSuffix(".p") {
            guard let width = Int(words.removeLast()), (1..<Self.fullWidth).contains(width) else {
                return nil
            }
            self.width = width
            words[words.count - 1].removeLast(2)
        } else {
            width = Self.fullWidth
        }
        var index: UInt64 = 0
        for word in words {
            guard let number = UInt64(word.hasPrefix("x") ? word.dropFirst() : word),
                number < 1_000, index < 1 << 48
            else { return nil }
            index = index * 1_000 + number
        }
        self.index = index
        // Each place has one path: other zeros, signs and letters are refused.
        guard self.path == "tile/" + path else { return nil }
    }

    /// The path below a log's address, or below the directory of an export.
    var path: String {
        let level =
            switch content {
            case .hashes(let level): "\(level)"
            case .entries: "entries"
            }
        return TileTree.path(level, index, width: width == Self.fullWidth ? nil : width)
    }

    /// Whether entries stand there, which can be erased later.
    package var isOfEntries: Bool { content == .entries }

    /// The number of entries that a log must have to contain this place; `nil` if no log has so
    /// many.
    var entryCount: UInt64? {
        let (first, isTooLarge) = index.multipliedReportingOverflow(by: UInt64(Self.fullWidth))
        let shift =
            switch content {
            case .hashes(let level): 8 * level
            case .entries: 0
            }
        let (end, isLarger) = first.addingReportingOverflow(UInt64(width))
        guard !isTooLarge, !isLarger, end.leadingZeroBitCount > shift else { return nil }
        return end << UInt64(shift)
    }
}
