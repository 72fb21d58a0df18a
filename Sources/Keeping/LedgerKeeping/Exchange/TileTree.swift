import Platform
import Proofs
import SystemPackage

/// Collects leaf hashes into the tiles of C2SP tlog-tiles: files of up to 256 hashes for each level
/// of the tree, where a hash of level n + 1 is the root over a full tile of level n.
struct TileTree {
    /// The hashes of a full tile.
    static let width = TilePlace.fullWidth

    /// A tile with its place.
    struct Tile {
        /// The file's path below the directory, such as `tile/0/x001/067`.
        var path: String
        var hashes: [Digest]

        /// The file's bytes.
        var bytes: [UInt8] { TileTree.bytes(hashes) }
    }

    private var levels: [(index: UInt64, hashes: [Digest])] = []

    /// Creates the tiles of an empty tree.
    init() {}

    /// Adds a leaf.
    ///
    /// - Returns: The tiles that are full now.
    mutating func append(_ leaf: Digest) -> [Tile] {
        var full: [Tile] = []
        var hash = leaf
        var level = 0
        while true {
            if level == levels.count { levels.append((0, [])) }
            levels[level].hashes.append(hash)
            guard levels[level].hashes.count == Self.width else { return full }
            let (index, hashes) = levels[level]
            full.append(Tile(path: Self.path("\(level)", index, width: nil), hashes: hashes))
            levels[level] = (index + 1, [])
            hash = Self.root(hashes)
            level += 1
        }
    }

    /// The tiles that are not full.
    var partialTiles: [Tile] {
        levels.enumerated()
            .compactMap { level, tile in
                guard !tile.hashes.isEmpty else { return nil }
                let path = Self.path("\(level)", tile.index, width: tile.hashes.count)
                return Tile(path: path, hashes: tile.hashes)
            }
    }

    /// Returns the path of a tile, or of a bundle of entries if `level` is `entries`; `width` is
    /// how many hashes or entries it has, `nil` if it is full.
    static func path(_ level: String, _ index: UInt64, width: Int?) -> String {
        var rest = index
        var path = Self.threeDigits(rest % 1_000)
        while rest >= 1_000 {
            rest /= 1_000
            path = "x\(threeDigits(rest % 1_000))/\(path)"
        }
        return "tile/\(level)/\(path)" + (width.map { ".p/\($0)" } ?? "")
    }

    /// Returns the bytes of a tile.
    static func bytes(_ hashes: [Digest]) -> [UInt8] {
        hashes.flatMap(\.array)
    }

    private static func threeDigits(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    private static func root(_ hashes: [Digest]) -> Digest {
        var hashes = hashes
        while hashes.count > 1 {
            hashes = (0..<hashes.count / 2)
                .map { SHA256.node(hashes[2 * $0], hashes[2 * $0 + 1]) }
        }
        return hashes[0]
    }
}

/// Entries with their lengths before them, as C2SP tlog-tiles bundles them.
struct EntryBundle {
    /// The bytes of the bundle.
    private(set) var bytes: [UInt8] = []

    /// How many entries it has.
    private(set) var count = 0

    /// Adds an entry: its bytes, or none if they are withheld.
    mutating func append(_ entry: [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: entry.count >> 8))
        bytes.append(UInt8(truncatingIfNeeded: entry.count))
        bytes.append(contentsOf: entry)
        count += 1
    }
}

/// Writes tiles and bundles of entries as C2SP tlog-tiles lays them out.
struct TileFiles {
    private let directory: FilePath
    private var tree = TileTree()
    private var bundle = EntryBundle()
    private var bundleIndex: UInt64 = 0

    /// Prepares to write below a directory.
    init(in directory: FilePath) {
        self.directory = directory
    }

    /// Adds an entry: its bytes, or none if they are withheld.
    mutating func append(_ entry: [UInt8], leaf: Digest) throws {
        bundle.append(entry)
        for tile in tree.append(leaf) { try write(tile.bytes, to: tile.path) }
        guard bundle.count == TileTree.width else { return }
        try write(bundle.bytes, to: TileTree.path("entries", bundleIndex, width: nil))
        bundle = EntryBundle()
        bundleIndex += 1
    }

    /// Writes the tiles and the bundle that are not full.
    ///
    /// Until `synchronize()` these files and all before them may be in memory only.
    func finish() throws {
        for tile in tree.partialTiles { try write(tile.bytes, to: tile.path) }
        guard bundle.count > 0 else { return }
        try write(bundle.bytes, to: TileTree.path("entries", bundleIndex, width: bundle.count))
    }

    /// Waits until all files are on disk: an export has thousands, and to wait for each by itself
    /// takes longer than everything else.
    func synchronize() throws {
        try DurableFile.synchronizeFileSystem(of: directory)
    }

    /// Writes a file.
    func write(_ bytes: [UInt8], to path: String) throws {
        let path = directory.pushing(FilePath(path))
        try Directory.make(path.removingLastComponent())
        var file = try NewFile(at: path)
        try file.write(bytes)
        try file.handOver()
    }
}
