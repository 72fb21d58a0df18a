package import Platform
package import Proofs
package import SystemPackage
import TripEvents
package import TripLedger

/// The memory of a witness about other people's logs, in a directory of its own: the witness's key,
/// and for each log its owner's key and the last head that was cosigned.
///
/// A witness cosigns a head only with a proof that nothing has changed that the witness saw before.
package struct WitnessBook {
    private static let keyFile = "witness.key"
    private static let maximumKeyByteCount = 1_000

    /// Where it is.
    package let path: FilePath

    /// The witness's key.
    package let key: SigningKey

    /// Told when this process waits for another one.
    private let notice: WaitNotice?

    /// The file with the witness's key.
    package var keyPath: FilePath { path.appending(Self.keyFile) }

    private var lockPath: FilePath { path.appending("lock") }

    /// Opens the book in a directory.
    ///
    /// - Throws: `.notFound` if there is none, `.unreadableInput` if its key is not one, or can be
    ///   read by others.
    package init(at path: FilePath, notice: WaitNotice? = nil) throws(LedgerError) {
        self.path = path
        self.notice = notice
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

    /// The directory that is used by default.
    ///
    /// - Throws: `.notFound` if there is no home directory.
    package static func defaultPath() throws(LedgerError) -> FilePath {
        try UserDirectory.state.required.appending("ledger/witness")
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
    /// - Throws: `.unreadableInput` if the request is malformed or not signed by the owner;
    ///   `.notFound` if the log is not known and no key was given, or if a proof is missing;
    ///   `.forked` if the log is not what it was; `.damaged` if the witness's own files about it
    ///   are; `.inputOutput`.
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
            try locked {
                let known = try log(of: head.content.origin, owner: owner)
                let owner = try self.owner(of: head, known: known?.owner, given: owner, place)
                try check(head, signedBy: owner, place)
                // There is nothing to compare the first head with: it stands for itself.
                if let seen = known?.head { try check(head, proof, after: seen, place) }
                let cosigned = try cosigned(head, signedBy: owner, place, now)
                try keep(cosigned, of: owner)
                return cosigned
            }
        }
    }

    /// Keeps others from changing the book while `body` runs.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try FileLock.holding(lockPath, isMade: true, notice, body)
    }

    /// Takes note of a log that was not seen yet, so that its first head needs no key.
    ///
    /// - Returns: Whether it was not known before.
    /// - Throws: `.forked` if the log is known with another key; `.damaged`, `.inputOutput`.
    package func add(_ owner: VerifierKey) throws(LedgerError) -> Bool {
        precondition(owner.kind == .text, "A witness is no owner.")
        let origin = owner.name.description
        return try LedgerError.translating(at: path) {
            try locked {
                if let known = try log(of: origin, owner: nil) {
                    guard known.owner != owner else { return false }
                    throw anotherKey(than: known.owner, "\(owner)")
                }
                try DurableFile.replace(
                    path.appending(Self.name(of: origin) + Self.expectedSuffix),
                    with: Array("\(owner)\n".utf8)
                )
                return true
            }
        }
    }

    /// Returns a head with two signatures, its owner's and the witness's, as it will be read again.
    ///
    /// Other signatures under the head as it came are of keys that the witness does not know.
    func cosigned(
        _ head: SignedHead,
        signedBy owner: VerifierKey,
        _ place: String,
        _ now: Timestamp
    ) throws -> SignedHead {
        let seconds = UInt64(max(0, now.milliseconds) / 1_000)
        do {
            let signatures = try head.note.signatures(by: [owner]).map(\.signature)
            let cosignature = key.cosignature(of: head.content.text, at: seconds)
            let cosigned = try SignedHead(
                SignedHead(head.content, signatures: signatures + [cosignature]).note.bytes
            )
            guard try isComplete(cosigned, of: owner) else {
                throw LedgerError(
                    .unreadableInput,
                    at: place,
                    cause: "the owner's key cannot be told from the witness's"
                )
            }
            return cosigned
        } catch let error as ProofDamage {
            throw LedgerError(
                .unreadableInput,
                at: place,
                cause: "the head cannot be kept with a cosignature: \(error)"
            )
        }
    }

    /// Returns whether a head has its owner's signature and the witness's.
    private func isComplete(_ head: SignedHead, of owner: VerifierKey) throws(ProofDamage) -> Bool {
        try head.note.signatures(by: [owner, verifier]).count == 2
    }

    /// Returns all logs that the witness knows, in the order of their origins.
    ///
    /// - Throws: `.damaged` if a file cannot be read, `.inputOutput`.
    package func logs() throws(LedgerError) -> [WitnessedLog] {
        try LedgerError.translating(at: path) {
            let names = try Directory.names(in: path).filter { !$0.hasPrefix(".") }
            let logs = [Self.ownerSuffix, Self.headSuffix, Self.expectedSuffix]
                .flatMap { suffix in
                    names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
                }
            return try Set(logs).compactMap { try log(named: $0) }
                .sorted { $0.owner.name.description < $1.owner.name.description }
        }
    }

    private static let ownerSuffix = ".vkey"
    private static let headSuffix = ".note"

    /// The suffix of the file with the owner's key of a log that was not seen yet.
    private static let expectedSuffix = ".expected"

    /// Returns the base name of the files about a log, which is not the origin: that may hold any
    /// character.
    private static func name(of origin: String) -> String {
        SHA256.digest(Array(origin.utf8).span).description
    }

    /// Returns what is known of a log; `nil` if it is not known.
    func log(of origin: String, owner: VerifierKey?) throws -> WitnessedLog? {
        try log(named: Self.name(of: origin), givenOwner: owner)
    }

    // Both files are there, or there is damage. A given key can stand in for the owner's file: the
    // head must be signed with it all the same.
    private func log(named name: String, givenOwner: VerifierKey? = nil) throws -> WitnessedLog? {
        let ownerFile = path.appending(name + Self.ownerSuffix)
        let headFile = path.appending(name + Self.headSuffix)
        let isThere = (owner: try Directory.holds(ownerFile), head: try Directory.holds(headFile))
        guard isThere.owner || isThere.head else { return try expectedLog(named: name) }
        guard isThere.head else { throw spoiled(headFile, "it is not there") }
        guard let owner = try isThere.owner ? self.owner(in: ownerFile) : givenOwner else {
            throw spoiled(ownerFile, "it is not there")
        }
        do {
            let head = try SignedHead(
                PrivateFile.read(headFile, maximumByteCount: SignedNote.maximumByteCount)
            )
            guard try isComplete(head, of: owner) else {
                throw spoiled(headFile, "a signature is missing")
            }
            return WitnessedLog(owner: owner, head: head)
        } catch let error as ProofDamage {
            throw spoiled(headFile, error.description)
        }
    }

    private func expectedLog(named name: String) throws -> WitnessedLog? {
        let file = path.appending(name + Self.expectedSuffix)
        guard try Directory.holds(file) else { return nil }
        return WitnessedLog(owner: try owner(in: file), head: nil)
    }

    private func owner(in file: FilePath) throws -> VerifierKey {
        let bytes = try PrivateFile.read(file, maximumByteCount: Self.maximumKeyByteCount)
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasSuffix("\n"), let owner = VerifierKey(text.dropLast()) else {
            throw spoiled(file, "it holds no verifier key")
        }
        return owner
    }

    /// Keeps a head and its owner's key, the head first: a key alone would stand for a log that was
    /// not seen yet.
    func keep(_ head: SignedHead, of owner: VerifierKey) throws {
        let name = Self.name(of: head.content.origin)
        try DurableFile.replace(path.appending(name + Self.headSuffix), with: head.note.bytes)
        try DurableFile.replace(
            path.appending(name + Self.ownerSuffix),
            with: Array("\(owner)\n".utf8)
        )
        let expected = path.appending(name + Self.expectedSuffix)
        if try Directory.holds(expected) { try Directory.remove(expected) }
    }

    private func spoiled(_ file: FilePath, _ cause: String) -> LedgerError {
        LedgerError(
            .damaged,
            at: file.string,
            cause: "this is no longer what the witness kept: \(cause)",
            hint: "Take it from a backup: without it the witness cannot tell what it saw. An "
                + "owner's key can also be given again with --key"
        )
    }
}

extension WitnessBook {
    /// Returns the key that must have signed a head.
    func owner(
        of head: SignedHead,
        known: VerifierKey?,
        given: VerifierKey?,
        _ place: String
    ) throws -> VerifierKey {
        if let known {
            guard given == nil || given == known else { throw anotherKey(than: known, place) }
            return known
        }
        guard let given else {
            throw LedgerError(
                .notFound,
                at: place,
                cause: "the witness does not know \(head.content.origin) yet",
                hint: "Give its verifier key with --key, and compare the fingerprint with the "
                    + "owner by another way: `ledger key show` prints it"
            )
        }
        return given
    }

    private func anotherKey(than known: VerifierKey, _ place: String) -> LedgerError {
        LedgerError(
            .forked,
            at: place,
            cause: "\(known.name) has another key than it had before",
            hint: "Ask its owner why; the witness goes on with \(known). In the place of a "
                + "key that was lost, its owner makes one of another name with `ledger "
                + "key new --name`"
        )
    }

    /// Checks that a head is its owner's.
    func check(_ head: SignedHead, signedBy owner: VerifierKey, _ place: String) throws {
        let isSigned: Bool
        do {
            isSigned = try head.isSigned(by: owner)
        } catch {
            throw LedgerError(.unreadableInput, at: place, cause: error.description)
        }
        guard isSigned else {
            throw LedgerError(
                .unreadableInput,
                at: place,
                cause: "the head is not signed by \(owner.name) with the key that it should have"
            )
        }
    }

    /// Checks that a log has only grown since the witness saw it last.
    func check(
        _ head: SignedHead,
        _ proof: ConsistencyProof?,
        after seen: SignedHead,
        _ place: String
    ) throws {
        let sizes = (new: head.head.size, seen: seen.head.size)
        guard sizes.new >= sizes.seen else {
            throw LedgerError(
                .forked,
                at: place,
                cause: "the witness has seen \(sizes.seen) entries of this log, and the head has "
                    + "only \(sizes.new); nothing was cosigned",
                hint: "Keep the head: if no newer one exists, entries were taken away"
            )
        }
        if sizes.new == sizes.seen {
            guard head.head.root == seen.head.root else {
                throw LedgerError(
                    .forked,
                    at: place,
                    cause: "the witness has seen \(sizes.seen) other entries of this log; nothing "
                        + "was cosigned",
                    hint: "Keep both heads: together they prove that the log was forked"
                )
            }
            return
        }
        // Every log begins with the empty one.
        guard sizes.seen > 0 else { return }
        guard let proof, proof.olderSize == sizes.seen else {
            throw LedgerError(
                .notFound,
                at: place,
                cause: "the witness has seen \(sizes.seen) entries of this log and needs a proof "
                    + "that they are still there",
                hint: "Send the owner the last cosigned head (`ledger witness show`), and ask for "
                    + "`ledger prove --consistency` of it"
            )
        }
        guard proof.isValid(since: seen.head) else {
            throw LedgerError(
                .forked,
                at: place,
                cause: "the proof does not hold: the \(sizes.seen) entries that the witness has "
                    + "seen are not those that the log begins with; nothing was cosigned",
                hint: "Keep the file: with the cosigned head it proves that the log was changed"
            )
        }
    }
}

/// The knowledge of a witness about a log.
package struct WitnessedLog {
    /// The key of the log's owner.
    package let owner: VerifierKey

    /// The last head that was cosigned, with the cosignature; `nil` if none was yet.
    package let head: SignedHead?
}
