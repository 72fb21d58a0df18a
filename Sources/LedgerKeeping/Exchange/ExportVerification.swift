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
        // A pipe can be read once only, and nothing else than an export comes out of one.
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
    /// - Returns: What the check came to.
    /// - Throws: `.unreadableInput` if it cannot be read.
    package static func outcome(
        ofExportAt path: FilePath?,
        beginningWith older: LedgerHead? = nil,
        trusting keys: TrustedKeys = TrustedKeys(owner: nil),
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> VerifyOutcome {
        var (outcome, check) = try run(path, beginningWith: older, onProgress: onProgress)
        if let check, outcome.findingCount == 0 { checkWithheld(check, keys, into: &outcome) }
        guard keys.demandsAny else { return outcome }
        if let header = check?.header, let signedHead = header.signedHead {
            keys.check(signedHead, ofLogWithSize: header.head.size, into: &outcome)
        } else {
            outcome.doubt("who vouches for the export: it holds no signed head")
        }
        return outcome
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
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> (outcome: VerifyOutcome, check: ExportCheck?) {
        var check: ExportCheck?
        var damage = VerifyOutcome()
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
        var outcome = check?.outcome ?? VerifyOutcome()
        outcome.add(damage)
        if let check, let older { compare(check, with: older, into: &outcome) }
        return (outcome, check)
    }

    /// Compares what was read with a head that it must begin with.
    private static func compare(
        _ check: ExportCheck,
        with older: LedgerHead,
        into outcome: inout VerifyOutcome
    ) {
        let size = older.size
        guard check.header.from <= size else {
            return outcome.doubt(
                "whether its log begins with the \(size) entries of the older head: it tells "
                    + "nothing of those before position \(check.header.from)"
            )
        }
        guard size <= check.header.head.size else {
            return outcome.report(
                .head,
                at: check.header.head.size,
                "the older head is of \(size) entries, and only \(check.header.head.size) are "
                    + "here: entries were taken away"
            )
        }
        // What is cut short before that size has been found to be.
        guard let root = check.watchedRoot else { return }
        if TreeHead(older) == TreeHead(size: size, root: root) {
            outcome.confirm(
                .head,
                "it begins with the \(size) entries of the older head, unchanged"
            )
        } else {
            outcome.report(.head, "its first \(size) entries are not those of the older head")
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
