import Platform
import Proofs
import SystemPackage

/// Writes tiles and bundles of entries as C2SP tlog-tiles lays them out.
struct TileFiles {
    private let directory: FilePath
    private var tree = TileTree()
    private var bundle: [UInt8] = []
    private var bundled = 0
    private var bundleIndex: UInt64 = 0

    /// Prepares to write below a directory.
    init(in directory: FilePath) {
        self.directory = directory
    }

    /// Adds an entry: its bytes, or none if they are withheld.
    mutating func append(_ entry: [UInt8], leaf: Digest) throws {
        bundle.append(UInt8(truncatingIfNeeded: entry.count >> 8))
        bundle.append(UInt8(truncatingIfNeeded: entry.count))
        bundle.append(contentsOf: entry)
        bundled += 1
        for tile in tree.append(leaf) { try write(tile.bytes, to: tile.path) }
        guard bundled == TileTree.width else { return }
        try write(bundle, to: TileTree.path("entries", bundleIndex, width: nil))
        bundle = []
        bundled = 0
        bundleIndex += 1
    }

    /// Writes the tiles and the bundle that are not full.
    func finish() throws {
        for tile in tree.partialTiles { try write(tile.bytes, to: tile.path) }
        guard bundled > 0 else { return }
        try write(bundle, to: TileTree.path("entries", bundleIndex, width: bundled))
    }

    /// Writes a file.
    func write(_ bytes: [UInt8], to path: String) throws {
        let path = directory.pushing(FilePath(path))
        try Directory.make(path.removingLastComponent())
        var file = try NewFile(at: path)
        try file.write(bytes)
        try file.finish()
    }
}
