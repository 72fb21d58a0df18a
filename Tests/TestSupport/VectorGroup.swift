public import Foundation
public import Testing

/// A set of vectors in `../shared/data/tlog`: the files of a folder or the records of a file.
///
/// The name is the path, and behind `#` the kind of the records or the member that lists them.
public enum VectorGroup: String, CaseIterable, Sendable {
    case inclusion = "merkle/inclusion"
    case consistency = "merkle/consistency"
    case subtreeInclusion = "merkle/subtreeinclusion"
    case subtreeConsistency = "merkle/subtreeconsistency"
    case eightLeaves = "merkle/ct-8-leaves.json#leaves_hex"
    case eightLeavesNodes = "merkle/ct-8-leaves.json#node_hashes_by_level_hex"
    case eightLeavesRoots = "merkle/ct-8-leaves.json#root_hash_by_size_hex"
    case subtreeHashes = "merkle/mtc-subtree-accumulators.json#subtree_hash_sha256"
    case subtreeInclusions = "merkle/mtc-subtree-accumulators.json#subtree_inclusion_sha256"
    case subtreeConsistencies = "merkle/mtc-subtree-accumulators.json#subtree_consistency_sha256"
    case golangRoots = "merkle/x-mod-sumdb-tlog.jsonl#root"
    case golangInclusions = "merkle/x-mod-sumdb-tlog.jsonl#inclusion"
    case golangConsistencies = "merkle/x-mod-sumdb-tlog.jsonl#consistency"
    case golangSums = "merkle/x-mod-sumdb-tlog.jsonl#accumulator"
    case golangTiles = "merkle/x-mod-sumdb-tlog.jsonl#tile"
    case golangIndexes = "merkle/x-mod-sumdb-tlog.jsonl#stored_hash_index"
    case golangCounts = "merkle/x-mod-sumdb-tlog.jsonl#stored_hash_count"
    case signedNotes = "note/signed-note.json"
    case verifierKeys = "note/vkeys.json"
    case heads = "note/checkpoint-body.json"
    case proofFiles = "note/tlog-proof.json"
    case tesseraInclusions = "note/tessera-tlog-proofs.json#inclusion"
    case tesseraConsistencies = "note/tessera-tlog-proofs.json#consistency"
    case tesseraLog = "tessera-log"
    case sunlightMirror = "sunlight-mirror"
    case signatures = "ed25519/ed25519vectors.json"

    /// The path below the folder of vectors.
    public var path: String { String(rawValue.prefix { $0 != "#" }) }

    /// The files of a folder, as paths below the folder of vectors, or the file itself.
    public func files() throws -> [String] {
        let url = SharedData.url("tlog/\(path)")
        guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
            return [path]
        }
        return try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
            .map { "\(path)/\($0)" }
            .filter { name in
                let file = SharedData.url("tlog/\(name)")
                return try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            }
    }

    /// The records of a file with a line of JSON for each.
    public func lines() throws -> [Data] {
        let kind = "\"kind\":\"\(rawValue.dropFirst(path.utf8.count + 1))\""
        return try SharedData.data("tlog/\(path)").split(separator: UInt8(ascii: "\n"))
            .filter { String(decoding: $0, as: UTF8.self).contains(kind) }
    }

    /// How many vectors there are, by nothing but what the files hold.
    public func count() throws -> Int {
        if path.hasSuffix(".jsonl") { return try lines().count }
        guard path.hasSuffix(".json") else { return try files().count }
        let json = try JSONSerialization.jsonObject(with: SharedData.data("tlog/\(path)"))
        guard path != rawValue, let members = json as? [String: Any] else {
            return Self.count(json)
        }
        return Self.count(members[String(rawValue.dropFirst(path.utf8.count + 1))])
    }

    private static func count(_ json: Any?) -> Int {
        guard let list = json as? [Any] else { return json == nil ? 0 : 1 }
        return list.reduce(0) { $0 + ($1 is [Any] ? count($1) : 1) }
    }
}

/// Counts what became of each vector of a group, and sees to it that none is left out.
public struct VectorTally {
    private let group: VectorGroup
    private var passed = 0
    private var notApplicable = 0
    private var reasons: [String] = []

    /// Starts to count.
    public init(_ group: VectorGroup) {
        self.group = group
    }

    /// Expects a vector to be met, and counts it if it is.
    public mutating func expect(
        _ isMet: Bool,
        _ comment: @autoclosure () -> Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if isMet { passed += 1 }
        #expect(isMet, comment(), sourceLocation: sourceLocation)
    }

    /// Counts a vector that nothing of ours can be held against.
    public mutating func leaveOut(because reason: String) {
        notApplicable += 1
        if !reasons.contains(reason) { reasons.append(reason) }
    }

    /// Compares with what the files hold, and prints the line that `tools/oracles/run` gathers.
    public func finish(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let count = try group.count()
        #expect(passed + notApplicable == count, sourceLocation: sourceLocation)
        let reason = reasons.joined(separator: "; ")
        print("vectors\t\(group.rawValue)\t\(count)\t\(passed)\t\(notApplicable)\t\(reason)")
    }
}
