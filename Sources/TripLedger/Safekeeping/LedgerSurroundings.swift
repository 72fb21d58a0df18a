import Platform
import Proofs
import SystemPackage
import TripEvents

/// What stands around a ledger's log, read without opening the log.
struct LedgerSurroundings {
    private let path: FilePath

    /// Prepares to look around in a ledger's directory.
    init(of path: FilePath) {
        self.path = path
    }

    /// Adds what is found to a report.
    ///
    /// - Throws: `Errno` if the directory cannot be read.
    func describe(in report: inout HealthReport) throws {
        report.freeBytes = try Directory.freeBytes(at: path)
        report.permissions = try Directory.permissions(of: path)
        report.openToOthers = try openToOthers()
        report.leftovers = try Directory.names(in: path).filter(Self.isLeftover).sorted()
            .map { path.appending($0) }
        let heads = try HeadStore.survivors(in: path.appending("heads"))
        report.unreadableHeads = heads.unreadable.map { FilePath($0) }
        report.lastWitness = heads.heads.flatMap(Self.witnesses).max { $0.at < $1.at }
        if let ledger = report.ledger, let key = try? SigningKeyFile(ofLedger: ledger).path,
            try Directory.holds(key)
        {
            report.keyFile = key
            report.keyPermissions = try Directory.permissions(of: key)
        }
        let records = try SafekeepingHistory(of: path).records()
        report.lastBackup = records.last { $0.deed == .backup }
        report.lastScrub = records.last { $0.deed == .scrub }
    }

    private static func witnesses(of head: SignedHead) -> [HealthReport.Witness] {
        head.note.signatures.filter(\.isCosignature)
            .compactMap { signature in
                Timestamp(secondsSince1970: signature.cosignedAt)
                    .map {
                        HealthReport.Witness(
                            name: "\(signature.name)",
                            at: $0,
                            size: head.head.size
                        )
                    }
            }
    }

    /// Whether a name is one that a command gives to what it has not finished.
    private static func isLeftover(_ name: String) -> Bool {
        name.hasSuffix(".new") || name.hasPrefix(".views.new.") || name == "views.old"
    }

    /// Finds what others may read, change or enter: the directory, what is in it, and what is in
    /// the directories there.
    private func openToOthers() throws -> [FilePath] {
        var places = [path]
        for name in try Directory.names(in: path).sorted() {
            let place = path.appending(name)
            places.append(place)
            guard try Stat(place, followTargetSymlink: false).type == .directory else { continue }
            places += try Directory.names(in: place).sorted().map { place.appending($0) }
        }
        let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
        return try places.filter { place in
            let status = try Stat(place, followTargetSymlink: false)
            return status.type != .symbolicLink && !status.permissions.isDisjoint(with: others)
        }
    }
}
