import Platform
package import Proofs
package import SystemPackage
package import TripLedger

/// The signed heads of a ledger: every one in the folder `heads` of the ledger's directory, each a
/// file, and the last one outside, too.
///
/// An older copy of the directory that is put in the ledger's place does not know what was signed
/// since; the head outside shows it.
package struct HeadStore {
    private static let sizeDigitCount = 20
    private static let maximumNameByteCount = 1_000

    /// Errors that show that something in the place of a head is not one: a link, a directory, a
    /// pipe, more bytes than any head has.
    private static let isNoHead: [Errno] = [
        .tooManySymbolicLinkLevels, .isDirectory, .invalidArgument, .fileTooLarge,
    ]

    private let name: String
    private let inside: FilePath
    private let insideLock: FilePath
    private let outsideDirectory: FilePath?
    private let notice: WaitNotice?

    private var outside: FilePath? { outsideDirectory?.appending("\(name).note") }

    /// Finds the heads of a ledger; there may be none yet.
    ///
    /// - Throws: `.notFound` if there is no home directory.
    package init(of ledger: Ledger) throws(LedgerError) {
        self.init(of: ledger, outsideIn: try UserDirectory.state.required.appending("ledger/heads"))
    }

    /// Finds the heads of a ledger, the one outside in a directory for such heads; without one,
    /// only those inside can be read.
    package init(of ledger: Ledger, outsideIn directory: FilePath?) {
        name = ledger.fileName
        inside = ledger.path.appending("heads")
        insideLock = ledger.path.appending("heads.lock")
        outsideDirectory = directory
        notice = ledger.notice
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
        for (file, head) in try survey() { heads.append((file, try head.get())) }
        return heads
    }

    /// Returns what can be read of every head that is there, in the order of ``all()``.
    ///
    /// - Throws: `.inputOutput` if the directory of heads cannot be read.
    func survey() throws(LedgerError) -> [(file: String, head: Result<SignedHead, LedgerError>)] {
        try (files() + outsideFile())
            .map { file in
                (file.string, Result { () throws(LedgerError) in try read(file) })
            }
    }

    /// Returns the last head inside and the one outside, each with its file.
    func lastOnes() throws(LedgerError) -> [(file: String, head: SignedHead)] {
        var heads: [(file: String, head: SignedHead)] = []
        for file in try files().suffix(1) + outsideFile() {
            heads.append((file.string, try read(file)))
        }
        return heads
    }

    /// Reads the heads in a folder; some of them may be damaged.
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
    /// - Throws: `.alreadyThere` if a head with as many entries is kept under another name,
    ///   `.unreadableInput` if there are more signatures than can be read again, `.inputOutput`.
    func keep(_ head: SignedHead) throws(LedgerError) -> SignedHead {
        try requireOwnFolder()
        let file = inside.appending(Self.name(ofSize: head.head.size))
        let known = try lastOnes().filter { $0.head.head.size == head.head.size }
        if let other = known.first(where: { $0.head.content != head.content }) {
            throw LedgerError(
                .alreadyThere,
                at: other.file,
                cause: "\(other.head.content.origin) has signed the same \(head.head.size) "
                    + "entries; nothing was signed",
                hint: "Sign with that key, or with this one when entries have been added"
            )
        }
        var merged = known.first?.head ?? head
        for other in known.dropFirst().map(\.head) + [head] {
            for signature in other.note.signatures { merged.add(signature) }
        }
        let bytes = merged.note.bytes
        do {
            _ = try SignedHead(bytes)
        } catch {
            throw LedgerError(.unreadableInput, at: file.string, cause: error.description)
        }
        for place in [outside, file].compactMap(\.self) {
            try LedgerError.translating(at: place) {
                try Directory.make(place.removingLastComponent())
                try DurableFile.replace(place, with: bytes)
            }
        }
        return merged
    }

    /// Throws if something else than a folder stands where the heads inside are kept: what a
    /// symbolic link leads to is not the ledger's.
    ///
    /// - Throws: `.inputOutput`.
    private func requireOwnFolder() throws(LedgerError) {
        let isFolder = try LedgerError.translating(at: inside) {
            try !Directory.holds(inside)
                || Stat(inside, followTargetSymlink: false).type == .directory
        }
        guard !isFolder else { return }
        throw LedgerError(
            .inputOutput,
            at: inside.string,
            cause: "this is no folder of the ledger's own, but something in its place, such as a "
                + "symbolic link",
            hint: "Nothing was signed. Move it out of the way, and what it leads to here"
        )
    }

    /// Notes that a key's name is this ledger's: heads of two ledgers under one name would look
    /// like a fork.
    ///
    /// - Throws: `LedgerError.alreadyThere` if it is another ledger's, `Errno`.
    func claim(_ origin: KeyName) throws {
        guard let outsideDirectory else { return }
        let digest = SHA256.digest(Array(origin.description.utf8).span)
        let file = outsideDirectory.appending("\(digest).origin")
        do {
            try DurableFile.put(Array("\(name)\n".utf8), at: file, isReplacing: false)
        } catch Errno.fileExists {
            let known = try PrivateFile.read(file, maximumByteCount: Self.maximumNameByteCount)
            guard known != Array("\(name)\n".utf8) else { return }
            throw LedgerError(
                .alreadyThere,
                at: file.string,
                cause: "\(origin) signs heads of another ledger: two under one name would look "
                    + "like a fork; nothing was signed",
                hint: "Make this ledger a key of another name with `ledger key new --name`"
            )
        }
    }

    /// Keeps other processes from signing while `body` runs: those that use this directory, and
    /// those that use a copy of it.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try FileLock.holding(insideLock, isMade: true, notice) {
            guard let outsideDirectory else { return try body() }
            try Directory.make(outsideDirectory)
            let lock = outsideDirectory.appending("\(name).lock")
            return try FileLock.holding(lock, isMade: true, notice, body)
        }
    }

    /// Moves the heads that a log does not have out of the way, so that signing can go on.
    ///
    /// - Parameters:
    ///   - suffix: The suffix of their new names.
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

    /// The file outside, if it is there.
    private func outsideFile() throws(LedgerError) -> [FilePath] {
        guard let outside else { return [] }
        return try LedgerError.translating(at: outside) {
            try Directory.holds(outside) ? [outside] : []
        }
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
            do {
                return try PrivateFile.read(file, maximumByteCount: SignedNote.maximumByteCount)
            } catch let error as Errno where Self.isNoHead.contains(error) {
                throw spoiled(file, error.description)
            }
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
            hint: "Take it from a backup, or from a person who has a copy of it"
        )
    }

    /// Returns the name of the file of a head in the folder `heads`.
    static func name(ofSize size: UInt64) -> String {
        let digits = String(size)
        return String(repeating: "0", count: sizeDigitCount - digits.utf8.count) + digits + ".note"
    }

    /// Whether a name is that of a head.
    static func isName(_ name: String) -> Bool {
        name.hasSuffix(".note") && !name.hasPrefix(".")
    }
}
