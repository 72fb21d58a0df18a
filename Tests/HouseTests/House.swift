/// The house: rooms, which are the folders of `Sources`, and what a module's place in them means.
///
/// Package.swift alone says which module depends on which.
enum House {
    /// The rooms from the top to the bottom: a module depends on modules of its own room and of
    /// those below it.
    static let rooms = [
        "Programs", "Faces", "Keeping", "Ledger", "Formats", "Projectors", "Heart", "Storage",
        "Basics", "Doors",
    ]

    /// The rooms that modules of a room may depend on where they are fewer: projectors know nothing
    /// of one another, and formats of others nothing of how events are stored and counted.
    static let fewerRooms: [String: Set<String>] = [
        "Projectors": ["Heart", "Basics"],
        "Formats": ["Heart", "Basics", "Doors"],
        "Heart": ["Heart", "Basics"],
        "Faces": ["Faces", "Keeping", "Ledger", "Projectors", "Heart", "Storage", "Basics"],
    ]

    /// What modules import that no package brings: mathematics, locks, what Platform is made of.
    static let system: [String: Set<String>] = [
        "Platform": ["Synchronization", "Glibc"],
        "LMDB": ["Synchronization", "Glibc"],
        // A lock guards what a prefix of a log has derived once.
        "EventStore": ["Synchronization"],
        "Geodesy": ["Glibc"],
        "Importers": ["Glibc"],
        "TripLedger": ["Synchronization"],
        "Maps": ["Glibc"],
        "LedgerPrint": ["Glibc"],
        "LedgerSync": ["Glibc"],
        // Rows are written by a thread of their own.
        "LedgerReplicate": ["Synchronization", "Glibc"],
        "LedgerMQTT": ["Synchronization", "Glibc"],
        "LedgerHTTP": ["Synchronization"],
        "ClientAPI": ["Synchronization"],
        "LedgerServer": ["Synchronization", "Glibc"],
    ]

    /// The rooms whose modules have values in and values out, and the modules of other rooms that
    /// do: no clock, file, environment, locale, randomness, output, concurrency or unsafe memory.
    static let core: Set<String> = [
        "CivilTime", "JSONText", "Heart", "Projectors", "Formats", "Rates", "Faces",
    ]

    /// The modules, or folders of one, that open the doors and handle memory by hand.
    static let memoryKeepers: Set<String> = [
        "EmbeddedFiles", "Platform", "LMDB", "Proofs", "EventStore", "Importers/XML",
        "Importers/Archives", "LedgerPrint", "LedgerSync", "LedgerMQTT",
        "LedgerReplicate",
    ]

    /// The graph.
    static let manifest = PackageManifest(Repository.manifest)

    /// Returns what a module may import: what it depends on, and what the system brings.
    static func imports(of module: String) -> Set<String>? {
        manifest.dependencies[module].map { $0.union(system[module] ?? []) }
    }

    /// Returns whether a module of a room may depend on one of another.
    static func mayDepend(_ room: String, on other: String) -> Bool {
        if let fewer = fewerRooms[room] { return fewer.contains(other) }
        guard let place = rooms.firstIndex(of: room), let below = rooms.firstIndex(of: other) else {
            return false
        }
        return below >= place
    }
}
