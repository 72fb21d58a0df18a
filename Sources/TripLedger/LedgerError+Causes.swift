import EventStore
import LMDB
import SystemPackage

extension LedgerError {
    /// Runs `body` and says of what it throws where that was and what to do.
    static func translating<Result>(
        at path: FilePath,
        _ body: () throws -> Result
    ) throws(LedgerError) -> Result {
        do {
            return try body()
        } catch let error as LedgerError {
            throw error
        } catch let error as EventLogError {
            throw LedgerError(error, at: path)
        } catch let error as LMDBError {
            throw LedgerError(error, at: path)
        } catch let reason as StaleViews {
            throw LedgerError(
                .inputOutput,
                at: path.string,
                cause: reason.sentence,
                hint: "Make the views anew with `ledger project --rebuild`"
            )
        } catch let error as Errno {
            throw LedgerError(.inputOutput, at: path.string, cause: error.description)
        } catch {
            throw LedgerError(.inputOutput, at: path.string, cause: "\(error)")
        }
    }

    private init(_ error: EventLogError, at path: FilePath) {
        switch error {
        case .damaged:
            self.init(
                .damaged,
                at: path.string,
                cause: error.description,
                hint: Self.damageHint
            )
        case .sizeMoved:
            self.init(
                .sizeMoved,
                at: path.string,
                cause: error.description,
                hint: "See what was added with `ledger log`, then append again"
            )
        case .newerFormat:
            self.init(
                .newer,
                at: path.string,
                cause: error.description,
                hint: "Use the version of ledger that wrote it, or a newer one"
            )
        case .notErasable:
            self.init(
                .notErasable,
                at: path.string,
                cause: error.description,
                hint: "Nothing was erased. See what is there with `ledger log`"
            )
        case .isIncompleteCopy:
            self.init(
                .inputOutput,
                at: path.string,
                cause: error.description,
                hint: "Append to the ledger that it is a copy of"
            )
        case .notALog:
            self.init(.damaged, at: path.string, cause: error.description)
        case .tooManySources:
            self.init(
                .inputOutput,
                at: path.string,
                cause: error.description,
                hint: "Begin a new ledger with `ledger init`, and give devices lasting names"
            )
        }
    }

    private init(_ error: LMDBError, at path: FilePath) {
        if error.code.isDamage {
            self.init(
                .damaged,
                at: path.string,
                cause: error.description,
                hint: Self.damageHint
            )
        } else {
            self.init(
                .inputOutput,
                at: path.string,
                cause: error.description,
                hint: Self.hint(error)
            )
        }
    }

    private static func hint(_ error: LMDBError) -> String {
        if error.code == .lostWrite {
            "Keep a copy of the directory, and see to the disk before anything else is stored"
        } else if error.outcomeIsUnknown {
            "What was being stored may or may not be there. Append it again: what is there "
                + "already is recognised"
        } else if error.code.isLackOfRights {
            "See whose the directory is, and whether its file system is read-only"
        } else {
            ""
        }
    }

    private static let damageHint =
        "Nothing was changed. Keep a copy of the directory before anything else"
}
