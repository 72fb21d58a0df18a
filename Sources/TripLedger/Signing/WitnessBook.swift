package import Proofs
package import SystemPackage
package import TripEvents

/// What a witness remembers of other people's logs, in a directory of its own: the witness's key,
/// and for each log its owner's key and the last head that was cosigned.
///
/// A witness cosigns a head only if it proves that nothing it saw before has changed.
package struct WitnessBook {
    private static let keyFile = "witness.key"
    private static let maximumKeyByteCount = 1_000

    /// Where it is.
    package let path: FilePath

    /// The witness's key.
    package let key: SigningKey

    /// The file with the witness's key.
    package var keyPath: FilePath { path.appending(Self.keyFile) }

    private var lock: FilePath { path.appending("lock") }

    /// Opens the book in a directory.
    ///
    /// - Throws: `.notFound` if there is none, `.unreadableInput` if its key is none, or can be
    ///   read by others.
    package init(at path: FilePath) throws(LedgerError) {
        self.path = path
        do {
            key = try SigningKeyFile(at: path.appending(Self.keyFile)).key()
        } catch  where error.code == .notFound {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "there is no witness here",
                hint: "Become one with `ledger witness init`"
            )
        }
    }

    /// Makes a new book with a new key in a directory.
    ///
    /// - Throws: `.alreadyThere` if there is one; `.inputOutput`.
    package static func create(at path: FilePath, name: KeyName) throws(LedgerError) -> WitnessBook
    {
        do {
            _ = try SigningKeyFile(at: path.appending(keyFile)).create(name: name)
        } catch  where error.code == .alreadyThere {
            throw LedgerError(
                .alreadyThere,
                at: path.string,
                cause: "there is a witness here already",
                hint: "It was left as it is; see `ledger witness show`"
            )
        }
        return try WitnessBook(at: path)
    }

    /// The directory that is used if nobody names one.
    ///
    /// - Throws: `.notFound` if there is no home directory.
    package static func defaultPath() throws(LedgerError) -> FilePath {
        try UserDirectory.state().appending("ledger/witness")
    }

    /// The key that others check cosignatures with.
    package var verifier: VerifierKey { key.verifier(.cosignature) }

    /// Cosigns a head, and remembers it.
    ///
    /// - Parameters:
    ///   - request: A signed head, or a consistency proof from the last head that was cosigned.
    ///   - place: Where the request came from, for errors.
    ///   - owner: The key of the log's owner; needed once.
    ///   - now: The time of the cosignature.
    /// - Returns: The head with the cosignature.
    /// - Throws: `.unreadableInput` if the request is none or not signed by the owner; `.notFound`
    ///   if the log is not known and no key was given, or if a proof is missing; `.forked` if the
    ///   log is not what it was; `.inputOutput`.
    package func cosign(
        _ request: [UInt8],
        from place: String,
        owner: VerifierKey?,
        now: Timestamp
    ) throws(LedgerError) -> SignedHead {
        let proof = try? ConsistencyProof(request)
        let head: SignedHead
        do {
            head = try proof?.head ?? SignedHead(request)
        } catch {
            throw LedgerError(.unreadableInput, at: place, cause: "this is no head: \(error)")
        }
        return try LedgerError.translating(at: path) {
            try FileLock.holding(lock) {
                let known = try log(of: head.content.origin)
                let owner = try self.owner(of: head, known: known?.owner, given: owner, place)
                try check(head, signedBy: owner, place)
                // What was never seen cannot be compared: the first head stands for itself.
                if let seen = known?.head { try check(head, proof, after: seen, place) }
                var cosigned = SignedHead(head.content, signatures: head.note.signatures)
                let seconds = UInt64(max(0, now.milliseconds) / 1_000)
                cosigned.add(key.cosignature(of: head.content.text, at: seconds))
                try keep(cosigned, of: owner)
                return cosigned
            }
        }
    }

    /// Returns all logs that the witness knows, in the order of their origins.
    ///
    /// - Throws: `.damaged` if a file cannot be read, `.inputOutput`.
    package func logs() throws(LedgerError) -> [WitnessedLog] {
        try LedgerError.translating(at: path) {
            try Directory.names(in: path)
                .filter { $0.hasSuffix(Self.ownerSuffix) && !$0.hasPrefix(".") }
                .map { try log(named: String($0.dropLast(Self.ownerSuffix.count))) }
                .compactMap(\.self)
                .sorted { $0.owner.name.description < $1.owner.name.description }
        }
    }

    private static let ownerSuffix = ".vkey"
    private static let headSuffix = ".note"

    /// Returns what files about a log are called: an origin may hold anything.
    private static func name(of origin: String) -> String {
        SHA256.digest(Array(origin.utf8).span).description
    }

    private func log(of origin: String) throws -> WitnessedLog? {
        try log(named: Self.name(of: origin))
    }

    private func log(named name: String) throws -> WitnessedLog? {
        let ownerFile = path.appending(name + Self.ownerSuffix)
        guard try Directory.holds(ownerFile) else { return nil }
        let bytes = try PrivateFile.read(ownerFile, maximumByteCount: Self.maximumKeyByteCount)
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasSuffix("\n"), let owner = VerifierKey(text.dropLast()) else {
            throw spoiled(ownerFile, "it holds no verifier key")
        }
        let headFile = path.appending(name + Self.headSuffix)
        guard try Directory.holds(headFile) else { return WitnessedLog(owner: owner, head: nil) }
        do {
            let head = try SignedHead(
                PrivateFile.read(headFile, maximumByteCount: SignedNote.maximumByteCount)
            )
            guard try head.note.signatures(by: [owner, verifier]).count == 2 else {
                throw spoiled(headFile, "a signature is missing")
            }
            return WitnessedLog(owner: owner, head: head)
        } catch let error as ProofDamage {
            throw spoiled(headFile, error.description)
        }
    }

    private func keep(_ head: SignedHead, of owner: VerifierKey) throws {
        let name = Self.name(of: head.content.origin)
        try DurableFile.replace(
            path.appending(name + Self.ownerSuffix),
            with: Array("\(owner)\n".utf8)
        )
        try DurableFile.replace(path.appending(name + Self.headSuffix), with: head.note.bytes)
    }

    private func spoiled(_ file: FilePath, _ cause: String) -> LedgerError {
        LedgerError(
            .damaged,
            at: file.string,
            cause: "this is no longer what the witness kept: \(cause)",
            hint: "Take it from a backup: without it the witness cannot tell what it saw"
        )
    }
}
