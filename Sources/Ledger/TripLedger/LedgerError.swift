import EventStore
import LMDB
package import SystemPackage
package import TripEvents

/// Why the ledger could not do what it was asked to: what, where, why, and what to do next.
public struct LedgerError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public enum Code: String, CaseIterable, Sendable {
        /// There is no ledger.
        case missingLedger = "missing_ledger"

        /// There is a ledger already, or something else where one should be made.
        case alreadyThere = "already_there"

        /// Another process appended first.
        case sizeMoved = "size_moved"

        /// It would lose entries that are known to have been there.
        case wouldLose = "would_lose"

        /// The requested thing is not there.
        case notFound = "not_found"

        /// A name may mean several trips.
        case ambiguous

        /// The trips cannot be one.
        case notMergeable = "not_mergeable"

        /// The trip cannot be two, or not at that time.
        case notSplittable = "not_splittable"

        /// Nothing can be taken out of the trip's distance, or nothing at that time.
        case notExcludable = "not_excludable"

        /// No trip whose recorder may have died is in progress.
        case nothingToRecover = "nothing_to_recover"

        /// There are as many places to skip as there may be.
        case tooManyPlaces = "too_many_places"

        /// There are as many sources as there may be.
        case tooManySources = "too_many_sources"

        /// There is no more room for what is set aside for a token.
        case tooManySetAside = "too_many_set_aside"

        /// An entry cannot be erased, or not without others.
        case notErasable = "not_erasable"

        /// The ledger is damaged.
        case damaged

        /// The log is not the one whose head was signed before.
        case forked

        /// A newer version of the program wrote it.
        case newer

        /// A file cannot be read.
        case unreadableInput = "unreadable_input"

        /// A stream of segments holds a frame that none may have.
        case badFrame = "bad_frame"

        /// Entries are missing in a stream of segments.
        case gap

        /// Entries of a stream of segments do not have the root that it names.
        case wrongRoot = "wrong_root"

        /// A stream of segments ends before its ledger does.
        case truncated

        /// A stream of segments has a version that this program does not read.
        case unknownVersion = "unknown_version"

        /// There is less room for temporary files than what was asked for may need.
        case noSpace = "no_space"

        /// The disk has no room left, or its owner's share of it is used up.
        case diskFull = "disk_full"

        /// No second server is known to have what was stored.
        case replicaMissing = "replica_missing"

        /// The disk or the system said no.
        case inputOutput = "input_output"
    }

    /// The kind of failure.
    public var code: Code

    /// Where: a path, a file and line, a trip.
    public var place: String

    /// What happened, as a sentence without a full stop.
    public var cause: String

    /// What to do next, as a sentence without a full stop, or a question; empty if there is nothing
    /// to say.
    public var hint: String

    /// Creates an error.
    public init(_ code: Code, at place: String, cause: String, hint: String = "") {
        self.code = code
        self.place = place
        self.cause = cause
        self.hint = hint
    }
}

extension LedgerError {
    /// Whether the ledger is in order, and the request itself is refused.
    package var isRefusal: Bool {
        switch code {
        case .notFound, .ambiguous, .notMergeable, .notSplittable, .notExcludable,
            .nothingToRecover, .tooManyPlaces:
            true
        case .missingLedger, .alreadyThere, .sizeMoved, .wouldLose, .tooManySources,
            .tooManySetAside, .notErasable, .damaged, .forked, .newer, .unreadableInput,
            .badFrame, .gap, .wrongRoot, .truncated, .unknownVersion, .noSpace, .diskFull,
            .replicaMissing, .inputOutput:
            false
        }
    }
}

extension LedgerError {
    /// Says in whole sentences why a request is refused: which trip, if it is about one, the cause,
    /// and what to do.
    package var refusalText: String {
        let isAboutTrip = place.hasPrefix(Self.tripPlace)
        let start = isAboutTrip ? "\(place): \(cause)." : Self.capitalized("\(cause).")
        return hint.isEmpty ? start : "\(start) \(advice)"
    }

    /// The beginning of the place in an error about a trip.
    static let tripPlace = "trip "

    private static func capitalized(_ sentence: String) -> String {
        sentence.prefix(1).uppercased() + sentence.dropFirst()
    }
}

extension LedgerError: CustomStringConvertible {
    /// Place and cause, and the hint on a line of its own.
    public var description: String {
        "\(place): \(cause)" + (hint.isEmpty ? "" : "\n\(advice)")
    }

    /// The hint with its full stop, or its question mark.
    package var advice: String { hint.isEmpty || hint.hasSuffix("?") ? hint : "\(hint)." }
}

extension LedgerError {
    /// Runs `body` and adds to the errors that it throws where they happened and what to do.
    package static func translating<Result: ~Copyable>(
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
                .tooManySources,
                at: path.string,
                cause: error.description,
                hint: "Begin a new ledger with `ledger --ledger NEW init`, and give devices "
                    + "lasting names. What you press and decide on the command line is still taken"
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
        } else if error.code.isLackOfRoom {
            self.init(
                .diskFull,
                at: path.string,
                cause: error.description,
                hint: "Make room on the disk, then do it again: what is there already is "
                    + "recognised"
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
        if error.code == .displaced {
            "See what is at that path now, and put the ledger back if it was moved. What was not "
                + "acknowledged may not be in it. Store it again: what is there already is "
                + "recognised"
        } else if error.code == .lockFileLost || error.code == .lockFileCut {
            "Nothing was changed. `fuser \(error.path.removingLastComponent())/data.mdb` names "
                + "that process"
        } else if error.code == .lostWrite {
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

extension LedgerError {
    /// Says that there is no place of a name.
    package init(noPlace name: String, among known: [String], at path: FilePath) {
        self.init(no: "place", name, among: known, at: path, maker: "ledger place save")
    }

    /// Says that there is no routine of a name.
    init(noRoutine name: String, among known: [String], at path: FilePath) {
        self.init(no: "routine", name, among: known, at: path, maker: "ledger routine save")
    }

    /// The number of sources among which the intended one is looked for.
    static let mostSourcesCompared = 1_000

    /// Says that no source has a name, and names some that there are.
    init(noSource name: String, among known: [String], at path: FilePath) {
        self.init(
            .notFound,
            at: path.string,
            cause: "no source is called \(name)",
            hint: known.isEmpty
                ? "Nothing has been reported yet"
                : Self.hint(NearestNames(to: name, among: known), "Known sources", known)
        )
    }

    /// Says that nothing of a kind has a name, and what there is.
    private init(
        no kind: String,
        _ name: String,
        among known: [String],
        at path: FilePath,
        maker: String
    ) {
        self.init(
            .notFound,
            at: path.string,
            cause: "there is no \(kind) \(name)",
            hint: known.isEmpty
                ? "There is none at all yet; `\(maker)` makes one"
                : Self.hint(NearestNames(to: name, among: known), "Known \(kind)s", known)
        )
    }

    /// Returns which names may be meant, and some of those that there are.
    package static func hint(
        _ nearest: NearestNames,
        _ heading: String,
        _ known: [String]
    ) -> String {
        let named = known.prefix(mostNamed).joined(separator: ", ")
        let list = "\(heading): \(named)" + (known.count > mostNamed ? ", …" : "")
        return nearest.question.map { "\($0) \(list)" } ?? list
    }

    /// How many names one error lists.
    private static let mostNamed = 20
}
