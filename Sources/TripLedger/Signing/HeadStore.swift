package import Proofs
package import SystemPackage

/// The signed heads of a ledger: every one in the folder `heads` of the ledger's directory, each a
/// file, and the last one outside, too.
///
/// An older copy of the directory that is put in the ledger's place does not know what was signed
/// since; the one outside does.
package struct HeadStore {
    private static let sizeDigitCount = 20

    private let inside: FilePath
    private let outside: FilePath
    private let lock: FilePath

    /// Finds the heads of a ledger; there may be none yet.
    ///
    /// - Throws: `.notFound` if there is no home directory.
    package init(of ledger: Ledger) throws(LedgerError) {
        self.init(of: ledger, outsideIn: try UserDirectory.state().appending("ledger/heads"))
    }

    /// Finds the heads of a ledger, the one outside in a directory for such heads.
    package init(of ledger: Ledger, outsideIn directory: FilePath) {
        inside = ledger.path.appending("heads")
        lock = ledger.path.appending("heads.lock")
        outside = directory.appending("\(ledger.fileName).note")
    }

    /// Returns the last head that was signed, or `nil` if none was.
    ///
    /// - Throws: `.damaged` if a head cannot be read, `.inputOutput`.
    package func last() throws(LedgerError) -> SignedHead? {
        try lastOnes().map(\.head).max { $0.head.size < $1.head.size }
    }

    /// Returns the last head that was signed.
    ///
    /// - Throws: `.notFound` if none was; `.damaged` if a head cannot be read, `.inputOutput`.
    package func requireLast() throws(LedgerError) -> SignedHead {
        guard let head = try last() else {
            throw LedgerError(
                .notFound,
                at: inside.string,
                cause: "no head was signed yet",
                hint: "Sign one with `ledger head --sign`"
            )
        }
        return head
    }

    /// Returns every head that is there, with the file it is in, the smallest first and the one
    /// outside last.
    ///
    /// - Throws: `.damaged` if a head cannot be read, `.inputOutput`.
    package func all() throws(LedgerError) -> [(file: String, head: SignedHead)] {
        var heads: [(file: String, head: SignedHead)] = []
        for file in try files() { heads.append((file.string, try read(file))) }
        if let head = try outsideHead() { heads.append((outside.string, head)) }
        return heads
    }

    /// Returns the last head inside and the one outside, each with its file.
    func lastOnes() throws(LedgerError) -> [(file: String, head: SignedHead)] {
        var heads: [(file: String, head: SignedHead)] = []
        if let file = try files().last { heads.append((file.string, try read(file))) }
        if let head = try outsideHead() { heads.append((outside.string, head)) }
        return heads
    }

    /// Reads the heads in a folder of which some may be damaged.
    ///
    /// - Throws: `Errno` if the folder cannot be read.
    static func survivors(
        in folder: FilePath
    ) throws -> (heads: [SignedHead], unreadable: [String]) {
        var heads: [SignedHead] = []
        var unreadable: [String] = []
        guard try Directory.holds(folder) else { return (heads, unreadable) }
        for name in try Directory.names(in: folder).filter(isName).sorted() {
            let file = folder.appending(name)
            let bytes = try? PrivateFile.read(
                file,
                maximumByteCount: SignedNote.maximumByteCount
            )
            if let bytes, let head = try? SignedHead(bytes),
                name == Self.name(ofSize: head.head.size)
            {
                heads.append(head)
            } else {
                unreadable.append(file.string)
            }
        }
        return (heads, unreadable)
    }

    /// Keeps a head, outside first; signatures that are there already under the same head stay.
    ///
    /// - Returns: The head with all its signatures.
    func keep(_ head: SignedHead) throws(LedgerError) -> SignedHead {
        let file = inside.appending(Self.name(ofSize: head.head.size))
        var merged = head
        if try LedgerError.translating(at: file, { try Directory.holds(file) }) {
            let known = try read(file)
            if known.content == head.content {
                merged = known
                for signature in head.note.signatures { merged.add(signature) }
            }
        }
        try LedgerError.translating(at: outside) {
            try Directory.make(outside.removingLastComponent())
            try DurableFile.replace(outside, with: merged.note.bytes)
        }
        try LedgerError.translating(at: file) {
            try Directory.make(inside)
            try DurableFile.replace(file, with: merged.note.bytes)
        }
        return merged
    }

    /// Keeps others from signing while `body` runs.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try FileLock.holding(lock, body)
    }

    /// Moves the heads that a log does not have out of the way, so that signing can go on.
    ///
    /// - Parameters:
    ///   - suffix: What their names end in afterwards.
    ///   - isForeign: Returns whether the log does not have a head.
    /// - Returns: Where they are now.
    /// - Throws: `LedgerError.damaged` if a head cannot be read, `Errno`, and what `isForeign`
    ///   throws.
    func setAside(
        suffix: String,
        where isForeign: (TreeHead) throws -> Bool
    ) throws -> [FilePath] {
        try locked {
            var places: [FilePath] = []
            for (file, head) in try all() where try isForeign(head.head) {
                let place = FilePath("\(file).\(suffix)")
                try DurableFile.move(FilePath(file), to: place, isReplacing: false)
                places.append(place)
            }
            return places
        }
    }

    private func outsideHead() throws(LedgerError) -> SignedHead? {
        let isThere = try LedgerError.translating(at: outside) { try Directory.holds(outside) }
        return isThere ? try read(outside) : nil
    }

    /// The files inside, in the order of their heads' sizes.
    private func files() throws(LedgerError) -> [FilePath] {
        try LedgerError.translating(at: inside) {
            guard try Directory.holds(inside) else { return [] }
            return try Directory.names(in: inside).filter(Self.isName).sorted()
                .map { inside.appending($0) }
        }
    }

    private func read(_ file: FilePath) throws(LedgerError) -> SignedHead {
        let bytes = try LedgerError.translating(at: file) {
            try PrivateFile.read(file, maximumByteCount: SignedNote.maximumByteCount)
        }
        let head: SignedHead
        do {
            head = try SignedHead(bytes)
        } catch {
            throw spoiled(file, error.description)
        }
        let name = Self.name(ofSize: head.head.size)
        guard file == outside || file.lastComponent?.string == name else {
            throw spoiled(file, "its size is not that of the file's name")
        }
        return head
    }

    private func spoiled(_ file: FilePath, _ cause: String) -> LedgerError {
        LedgerError(
            .damaged,
            at: file.string,
            cause: "this is no longer the head that was kept here: \(cause)",
            hint: "Take it from a backup, or from whoever has a copy of it"
        )
    }

    private static func name(ofSize size: UInt64) -> String {
        let digits = String(size)
        return String(repeating: "0", count: sizeDigitCount - digits.utf8.count) + digits + ".note"
    }

    private static func isName(_ name: String) -> Bool {
        name.hasSuffix(".note") && !name.hasPrefix(".")
    }
}
