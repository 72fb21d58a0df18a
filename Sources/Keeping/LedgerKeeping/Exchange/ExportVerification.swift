import EventStore
import Platform
import Proofs
public import SystemPackage
package import TripLedger

/// The check of an export: it needs no ledger and no network.
public enum ExportVerification {
    /// Returns whether an export is at `path`: a file, or a directory with the files of one.
    public static func isExport(at path: FilePath) -> Bool {
        guard let type = try? Stat(path).type else { return false }
        guard type != .regular else { return beginsWithObject(path) }
        // A pipe can be read only once, so it is taken for an export without a look.
        guard type == .directory else { return true }
        return [Ledger.exportedLines, Ledger.exportedHeader, Ledger.exportedEvents]
            .contains { (try? Directory.holds(path.appending($0))) == true }
    }

    /// Checks an export from its first byte to its last, and the signatures under its head.
    ///
    /// - Parameters:
    ///   - path: A file or directory that `ledger export` wrote; `nil` for standard input.
    ///   - older: A head that its log must begin with, if there is one to compare with.
    ///   - keys: The keys whose signatures are required; empty if none are.
    ///   - onProgress: Told how many entries of how many were checked, now and then.
    /// - Returns: The outcome of the check.
    /// - Throws: `.unreadableInput` if it cannot be read.
    package static func outcome(
        ofExportAt path: FilePath?,
        beginningWith older: LedgerHead? = nil,
        trusting keys: TrustedKeys = TrustedKeys(owner: nil),
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> VerifyOutcome {
        var (outcome, check) = try run(path, beginningWith: older, keys, onProgress: onProgress)
        if let check, outcome.findingCount == 0 { checkWithheld(check, keys, into: &outcome) }
        let header = check?.header
        guard keys.demandsAny else {
            if let signed = header?.signedHead { outcome.claim(claim(of: signed)) }
            return outcome
        }
        if let header, let signedHead = header.signedHead {
            keys.check(signedHead, ofLogWithSize: header.head.size, into: &outcome)
        } else {
            outcome.doubt("who vouches for the export: it holds no signed head")
        }
        return outcome
    }

    /// What is said of a signature for which no key was given.
    private static func claim(of signed: SignedHead) -> String {
        "\(signed.content.origin) is said to have signed the first \(signed.head.size) entries: "
            + "give the key that its owner told you with --key"
    }

    private static func checkWithheld(
        _ check: ExportCheck,
        _ keys: TrustedKeys,
        into outcome: inout VerifyOutcome
    ) {
        let header = check.header
        let expected = WithheldPositions(check.withheldPositions)
        let withheld = WithheldCheck(signed: header.signedWithheld, count: header.withheld) {
            note in
            note.from == header.from && note.head == header.head && note.positions == expected
        }
        withheld.run(keys, into: &outcome)
    }

    private static func run(
        _ path: FilePath?,
        beginningWith older: LedgerHead?,
        _ keys: TrustedKeys,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> (outcome: VerifyOutcome, check: ExportCheck?) {
        var check: ExportCheck?
        var damage = VerifyOutcome(.origin)
        do {
            let strangers = try ExportReader(path)
                .read { header in
                    check = ExportCheck(header, watching: older?.size)
                } take: { content, line in
                    _ = try check?.take(content, line)
                    guard let position = check?.position, position.isMultiple(of: progressStep),
                        let header = check?.header
                    else { return }
                    onProgress(position - header.from, header.head.size - header.from)
                }
            check?.finish()
            strangers.doubt(into: &damage)
        } catch let error as ExportDamage where error.isForeign {
            damage.doubt("whether anything was changed: \(error.description)")
        } catch let error as ExportDamage {
            damage.report(.export, at: check?.position, error.description)
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: path?.string ?? "standard input",
                cause: "\(error)"
            )
        }
        var outcome = check?.outcome ?? VerifyOutcome(.origin)
        outcome.add(damage)
        if let check, let older { compare(check, with: older, keys, into: &outcome) }
        if let check, outcome.findingCount == 0 { try checkIssued(check, at: path, into: &outcome) }
        return (outcome, check)
    }

    /// Compares the heads that issued reports name with the entries.
    ///
    /// A file is read a second time for this, because these heads are known only at its end.
    private static func checkIssued(
        _ check: ExportCheck,
        at path: FilePath?,
        into outcome: inout VerifyOutcome
    ) throws(LedgerError) {
        let issued = check.issued.filter { $0.size >= check.header.from }
        guard !issued.isEmpty else { return }
        guard let path, let type = try? Stat(path).type, [.regular, .directory].contains(type)
        else {
            return outcome.claim(
                "\(issued.count) issued reports name entries and roots of this log, not checked "
                    + "here, for standard input is read once"
            )
        }
        let roots = try LedgerError.translating(at: path) {
            try self.roots(at: issued.map(\.size), ofExportAt: path)
        }
        for head in issued {
            guard let problem = head.problem(givenRoot: roots[head.size]) else { continue }
            outcome.report(.report, at: head.position, problem)
        }
    }

    /// Returns the roots that the log of a sound export had at some sizes.
    private static func roots(
        at sizes: [UInt64],
        ofExportAt path: FilePath
    ) throws -> [UInt64: Digest] {
        var tree: ExportTree?
        try ExportReader(path)
            .read { header in
                let frontier =
                    MerkleFrontier(size: header.from, roots: header.frontier) ?? MerkleFrontier()
                tree = ExportTree(frontier, upTo: header.head.size, noting: sizes)
            } take: { content, _ in
                switch content {
                case .withheld(let leaf): tree?.append(leaf)
                case .entry(let bytes):
                    guard let entry = EntryView(startOf: bytes.span) else { return }
                    if entry.isTombstone {
                        tree?.append(entry.leafHash)
                    } else {
                        tree?.append(entry.bytes)
                    }
                }
            }
        return tree?.finish().roots ?? [:]
    }

    /// Compares what was read with a head that it must begin with.
    private static func compare(
        _ check: ExportCheck,
        with older: LedgerHead,
        _ keys: TrustedKeys,
        into outcome: inout VerifyOutcome
    ) {
        let size = older.size
        let doubted = "whether it begins with the entries of the older head: "
        guard check.header.from <= size else {
            return outcome.doubt(
                "whether its log begins with the \(size) entries of the older head: it tells "
                    + "nothing of those before position \(check.header.from)"
            )
        }
        if let mistake = TypedRoot(older.root).mistake(inCount: size, for: check.header.head) {
            return outcome.doubt(doubted + mistake)
        }
        guard size <= check.header.head.size else {
            return outcome.report(
                .head,
                at: check.header.head.size,
                "the older head is of \(size) entries, and only \(check.header.head.size) are "
                    + "here: entries were taken away"
            )
        }
        // An export that ends before that size was already found to be cut.
        guard let root = check.watchedRoot else { return }
        if TreeHead(older) == TreeHead(size: size, root: root) {
            let state =
                check.erasedLater == 0
                ? ", unchanged"
                : "; the content of \(check.erasedLater) of them was erased since, and their "
                    + "hashes are unchanged"
            outcome.confirm(.head, "it begins with the \(size) entries of the older head\(state)")
            vouch(by: older, forLogWithSize: check.header.head.size, keys, into: &outcome)
        } else if let mistake = TypedRoot(older.root).mistake(for: root) {
            outcome.doubt(doubted + mistake)
        } else {
            outcome.report(.head, "its first \(size) entries are not those of the older head")
        }
    }

    /// Notes what an older head at the beginning of a log vouches for: only for its own entries, so
    /// those after it need a key.
    private static func vouch(
        by older: LedgerHead,
        forLogWithSize size: UInt64,
        _ keys: TrustedKeys,
        into outcome: inout VerifyOutcome
    ) {
        guard older.size < size else { return outcome.vouch(.head) }
        let later = "the entries from position \(older.size) on"
        let reason = "came after the older head, which says nothing of them"
        if keys.demandsAny {
            outcome.confirm(.head, "\(later) \(reason)")
        } else {
            outcome.doubt(
                "who vouches for \(later): they \(reason). Give a newer head, or --key"
            )
        }
    }

    private static func beginsWithObject(_ file: FilePath) -> Bool {
        var buffer = LineBuffer()
        guard let stream = try? InputStream(atFile: file),
            let count = try? buffer.fill(from: stream), count > 0
        else { return false }
        return buffer.bytes.first == UInt8(ascii: "{")
    }

    private static let progressStep: UInt64 = 1 << 14
}
