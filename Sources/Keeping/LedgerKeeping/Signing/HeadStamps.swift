import EventStore
import Platform
package import Proofs
package import SystemPackage
package import TripEvents
package import TripLedger

/// The stamps of authorities for the time over signed heads of a ledger: each is a pair of files in
/// the folder `heads` of its directory, what was stamped and the answer (Formats, *Stamps*).
package struct HeadStamps {
    /// A stamp that is kept.
    package struct Kept {
        /// The file with the answer.
        package let file: String

        /// The name of that file without its ending.
        var name: String { FilePath(file).stem ?? "" }

        /// The names of the files with the answer and with what was stamped.
        var fileNames: [String] {
            [HeadStamps.answerSuffix, HeadStamps.stampedSuffix].map { name + $0 }
        }

        /// What was stamped, or why it cannot be read.
        let content: Result<(stamped: [UInt8], stamp: TimeStamp), LedgerError>
    }

    /// The authority and the time that a stamp names, which are not verified.
    package struct Statement: Hashable, Sendable {
        /// The name in the authority's certificate; empty if it has none.
        package let authority: String

        /// The time.
        package let time: Timestamp

        /// The file with the stamp.
        package let file: String

        /// The authority as people read it.
        package var name: String {
            authority.isEmpty ? "an authority without a name" : Excerpt.escaped(authority)
        }
    }

    /// How far the time of an authority or a witness may be from this machine's, in milliseconds.
    static let clockTolerance: Int64 = 10 * 60 * 1_000

    private static let answerSuffix = ".tsr"
    private static let stampedSuffix = ".stamped"
    private static let sizeDigitCount = 20

    private let folder: FilePath

    /// Finds the stamps of a ledger; there may be none.
    package init(of ledger: Ledger) {
        self.init(ofLedgerAt: ledger.path)
    }

    /// Finds the stamps of the ledger in a directory; there may be none.
    package init(ofLedgerAt path: FilePath) {
        folder = path.appending("heads")
    }

    /// Finds the stamps that were copied into a folder.
    init(in folder: FilePath) {
        self.folder = folder
    }

    /// Whether a name is that of a stamp, or of a stamped file.
    static func isName(_ name: Substring) -> Bool {
        [answerSuffix, stampedSuffix].contains { name.hasSuffix($0) }
    }

    /// Returns the bytes of a head that are stamped: with the signatures of its owner alone, which
    /// stay the same when witnesses cosign it later.
    package static func stamped(_ head: SignedHead) -> [UInt8] {
        let own = head.note.signatures.filter { $0.name.isOrigin(head.content.origin) }
        return SignedHead(head.content, signatures: own).note.bytes
    }

    /// Keeps the answer of an authority if it answers the question, is valid, and states the
    /// present time.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - request: The question.
    ///   - head: The head that it is about.
    ///   - place: Where the answer came from, for errors.
    ///   - certificates: The trusted certificates, as PEM.
    ///   - now: The time on this machine.
    ///   - hint: What to do about a stamp that these certificates do not vouch for.
    /// - Returns: What the stamp states, with its file, and the number of the authority's policy.
    /// - Throws: `.unreadableInput` with what is wrong; `.inputOutput`.
    package func keep(
        _ answer: [UInt8],
        to request: TimeStampRequest,
        over head: SignedHead,
        from place: String,
        trusting certificates: [UInt8],
        now: Timestamp,
        hint: String
    ) throws(LedgerError) -> (statement: Statement, policy: String) {
        let stamped = Self.stamped(head)
        let stamp: TimeStamp
        do throws(ProofDamage) {
            stamp = try TimeStamp(answer)
            try stamp.requireAnswer(to: request)
            try stamp.check(over: stamped, trusting: certificates)
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: place,
                cause: error.description,
                hint: "Nothing was kept. \(hint)"
            )
        }
        let time = try Self.time(of: stamp, from: place)
        guard abs(time.milliseconds(since: now)) <= Self.clockTolerance else {
            throw LedgerError(
                .unreadableInput,
                at: place,
                cause: "the stamp is of \(RFC3339.text(time)), and the clock here says "
                    + RFC3339.text(now),
                hint: "Nothing was kept. Set the clock right, or ask another authority"
            )
        }
        let file = try write(stamp, stamped, ofSize: head.head.size)
        return (Statement(authority: stamp.authority, time: time, file: file), stamp.policy)
    }

    private func write(
        _ stamp: TimeStamp,
        _ stamped: [UInt8],
        ofSize size: UInt64
    ) throws(LedgerError) -> String {
        let digits = String(size)
        let zeros = String(repeating: "0", count: Self.sizeDigitCount - digits.utf8.count)
        let name = "\(zeros)\(digits).\(Self.digits(of: stamp.bytes))"
        let file = folder.appending(name + Self.answerSuffix)
        try LedgerError.translating(at: file) { try put(stamp, over: stamped, as: name) }
        return file.string
    }

    /// The part of a stamp's name that is its own: the beginning of its SHA-256.
    private static func digits(of answer: [UInt8]) -> Substring {
        SHA256.digest(answer.span).description.prefix(8)
    }

    /// Writes a stamp and the stamped bytes under a name without an ending.
    ///
    /// - Throws: `Errno`.
    func put(_ stamp: TimeStamp, over stamped: [UInt8], as name: String) throws {
        try Directory.make(folder)
        // The answer comes last: without it the other file means nothing.
        try DurableFile.replace(folder.appending(name + Self.stampedSuffix), with: stamped)
        try DurableFile.replace(folder.appending(name + Self.answerSuffix), with: stamp.bytes)
    }

    private static func time(
        of stamp: TimeStamp,
        from place: String
    ) throws(LedgerError) -> Timestamp {
        guard let time = Timestamp(secondsSince1970: UInt64(clamping: stamp.seconds)) else {
            throw LedgerError(.unreadableInput, at: place, cause: "the stamp has no time")
        }
        return time
    }

    /// Returns every stamp that is kept, that of the smallest head first.
    ///
    /// - Throws: `.inputOutput` if the folder cannot be read.
    package func all() throws(LedgerError) -> [Kept] {
        try LedgerError.translating(at: folder) {
            guard try Directory.holds(folder) else { return [] }
            return try Directory.names(in: folder).sorted()
                .filter { $0.hasSuffix(Self.answerSuffix) && !$0.hasPrefix(".") }
                .map { name in
                    let file = folder.appending(name)
                    let content = Result { () throws(LedgerError) in try read(file) }
                    return Kept(file: file.string, content: content)
                }
        }
    }

    /// Copies the stamps over a head, with the stamped files, into a folder, which is made if there
    /// are any.
    ///
    /// - Throws: `.damaged` if one cannot be read, `.inputOutput`.
    package func copy(over head: LedgerHead, to place: FilePath) throws(LedgerError) {
        for kept in try all() {
            let (stamped, stamp) = try kept.content.get()
            guard let signed = try? SignedHead(stamped), LedgerHead(signed.head) == head else {
                continue
            }
            try LedgerError.translating(at: place) {
                try HeadStamps(in: place).put(stamp, over: stamped, as: kept.name)
            }
        }
    }

    /// Returns the statements of the readable stamps over a head, in the order of ``all()``.
    ///
    /// - Throws: `.inputOutput` if the folder cannot be read.
    func statements(over head: LedgerHead) throws(LedgerError) -> [Statement] {
        try all().compactMap { $0.statement(over: head) }
    }

    /// Returns the latest time of a stamp that is kept, which is not verified, with the size of its
    /// head.
    func latest() throws(LedgerError) -> (at: Timestamp, size: UInt64)? {
        var latest: (at: Timestamp, size: UInt64)?
        for kept in try all() {
            guard let (stamped, stamp) = try? kept.content.get(),
                let head = try? SignedHead(stamped),
                let time = try? Self.time(of: stamp, from: kept.file)
            else { continue }
            if time > latest?.at ?? Timestamp(milliseconds: .min) {
                latest = (time, head.head.size)
            }
        }
        return latest
    }

    private func read(
        _ file: FilePath
    ) throws(LedgerError) -> (stamped: [UInt8], stamp: TimeStamp) {
        let name = (file.lastComponent?.string ?? "").dropLast(Self.answerSuffix.count)
        let stamped = folder.appending(name + Self.stampedSuffix)
        let answer = try LedgerError.translating(at: file) {
            try PrivateFile.read(file, maximumByteCount: TimeStamp.maximumByteCount)
        }
        guard name.hasSuffix(".\(Self.digits(of: answer))") else {
            throw LedgerError(
                .damaged,
                at: file.string,
                cause: "this is no longer the stamp that was kept: its SHA-256 does not begin as "
                    + "its name says"
            )
        }
        let bytes = try LedgerError.translating(at: stamped) {
            try PrivateFile.read(stamped, maximumByteCount: SignedNote.maximumByteCount)
        }
        do throws(ProofDamage) {
            return (bytes, try TimeStamp(answer))
        } catch {
            throw LedgerError(.damaged, at: file.string, cause: error.description)
        }
    }
}

extension HeadStamps.Kept {
    /// Checks the stamp, and that a log has the head that was stamped.
    ///
    /// A stamp for which no certificate vouches may still be valid: that is a doubt, not a finding.
    ///
    /// - Parameters:
    ///   - certificates: The trusted certificates, as PEM.
    ///   - size: The size of the log.
    ///   - root: Returns the log's root at a size that it has.
    ///   - outcome: The outcome of the check.
    /// - Throws: What `root` throws.
    func check(
        trusting certificates: [UInt8],
        size: UInt64,
        root: (UInt64) throws -> Digest,
        into outcome: inout VerifyOutcome
    ) throws {
        let head: SignedHead
        let stamp: TimeStamp
        let trust: TimeStamp.Trust
        do {
            let (stamped, read) = try content.get()
            trust = try read.trust(over: stamped, by: certificates)
            head = try SignedHead(stamped)
            stamp = read
        } catch let error as LedgerError where error.code != .damaged {
            return outcome.doubt("the stamp that is kept in \(file): \(error.cause)")
        } catch let error as LedgerError {
            return outcome.report(.head, "\(error.cause) (\(file))")
        } catch let error as ProofDamage {
            return outcome.report(.head, "\(error) (\(file))")
        }
        let stampedSize = head.head.size
        guard stampedSize <= size, try root(stampedSize) == head.head.root else {
            return reportOther(head.head, into: &outcome)
        }
        let time = Timestamp(secondsSince1970: UInt64(clamping: stamp.seconds))
        let name = stamp.authority.isEmpty ? "an authority" : stamp.authority
        let deed =
            "\(name) stamped the head of \(stampedSize) entries at "
            + "\(time.map { RFC3339.text($0) } ?? "-"), by its policy \(stamp.policy)"
        switch trust {
        case .trusted: outcome.confirm(.head, deed)
        case .stranger(let reason):
            outcome.doubt(
                "whether \(deed): no certificate of --stamps vouches for it (\(reason)); add its "
                    + "own to that file (\(file))"
            )
        }
    }
}

extension HeadStamps.Kept {
    /// Returns what the stamp states, which is not verified; `nil` if it cannot be read, or is over
    /// another head.
    func statement(over head: LedgerHead) -> HeadStamps.Statement? {
        guard let (stamped, stamp) = try? content.get(), let signed = try? SignedHead(stamped),
            LedgerHead(signed.head) == head,
            let time = Timestamp(secondsSince1970: UInt64(clamping: stamp.seconds))
        else { return nil }
        return HeadStamps.Statement(authority: stamp.authority, time: time, file: file)
    }

    /// Says what the stamp states, without checking its maker; a stamp over another head is a
    /// finding in any case.
    func tell(beside head: LedgerHead, into outcome: inout VerifyOutcome) {
        guard let (stamped, stamp) = try? content.get(), let signed = try? SignedHead(stamped)
        else {
            return outcome.doubt("what the stamp in \(file) says: it cannot be read")
        }
        guard LedgerHead(signed.head) == head else {
            return reportOther(signed.head, into: &outcome)
        }
        let time = Timestamp(secondsSince1970: UInt64(clamping: stamp.seconds))
        outcome.claim(
            "the head of \(head.size) entries was stamped at "
                + "\(time.map { RFC3339.text($0) } ?? "-"): --stamps with the authority's "
                + "certificates checks that"
        )
    }

    private func reportOther(_ stamped: TreeHead, into outcome: inout VerifyOutcome) {
        outcome.report(
            .head,
            "the first \(stamped.size) entries are not those whose head was stamped (\(file))"
        )
    }
}

extension Ledger {
    /// Checks the kept stamps over signed heads: who made them, and that the log begins with the
    /// entries of each head.
    ///
    /// - Throws: `.damaged` if the tree cannot be read, `.inputOutput`.
    package func checkStamps(
        trusting certificates: [UInt8]
    ) throws(LedgerError) -> VerifyOutcome {
        var outcome = VerifyOutcome()
        let stamps = try HeadStamps(of: self).all()
        if stamps.isEmpty {
            outcome.doubt("when others saw the log: no stamp over a head is kept here")
        }
        try LedgerError.translating(at: path) {
            let tree = try LogTree(log)
            for kept in stamps {
                try kept.check(
                    trusting: certificates,
                    size: tree.head.size,
                    root: { try tree.root(atSize: $0) },
                    into: &outcome
                )
            }
        }
        return outcome
    }
}
