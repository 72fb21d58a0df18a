package import ServerStore
public import SystemPackage
public import TripEvents
public import TripLedger

/// The state of a ledger, and what to do about it.
public struct HealthReport: Hashable, Sendable {
    /// Something to do.
    public struct Advice: Hashable, Sendable {
        /// The reason, as a sentence without a full stop.
        public var why: String

        /// The command that helps; empty if no command does.
        public var command: String

        /// Creates advice.
        public init(why: String, command: String) {
            self.why = why
            self.command = command
        }
    }

    /// A witness's cosignature under a signed head, not verified.
    public struct Witness: Hashable, Sendable {
        /// The witness's name.
        public var name: String

        /// When it says it has cosigned.
        public var at: Timestamp

        /// The head's size.
        public var size: UInt64
    }

    /// The ledger's directory.
    public var path: FilePath

    /// Its id, or `nil` if the log cannot be read.
    public var ledger: String?

    /// The log's head, or `nil` if it cannot be read.
    public var head: LedgerHead?

    /// The size of the last head that was signed, or `nil` if none was.
    public var signedSize: UInt64?

    /// When a head was last signed, or `nil` if that is not known.
    public var lastSignedAt: Timestamp?

    /// The time in the last stamp over a signed head, which is not verified, or `nil` if there is
    /// none.
    public var lastStampedAt: Timestamp?

    /// The size of the head that it is over.
    public var stampedSize: UInt64?

    /// How far its replica was confirmed last; `nil` if the ledger was never replicated.
    package var replica: ReplicaState?

    /// The last cosignature under one of the signed heads that are kept, or `nil` if there is none.
    public var lastWitness: Witness?

    /// When the first entry was stored.
    public var firstRecordedAt: Timestamp?

    /// When the last entry was stored.
    public var lastRecordedAt: Timestamp?

    /// Entries that the views have not read, or `nil` if there are no usable views.
    public var viewsLag: UInt64?

    /// How long the log's file is, in bytes.
    public var fileBytes: UInt64 = 0

    /// How much of it is in use, in bytes.
    public var usedBytes: UInt64 = 0

    /// Room for the log without a pause, in bytes.
    public var mapBytes: UInt64 = 0

    /// Readers of the log that processes have open now.
    public var readers: UInt64 = 0

    /// Readers of dead processes that were found and cleared just now.
    public var clearedReaders: UInt64 = 0

    /// Free bytes on the disk.
    public var freeBytes: UInt64 = 0

    /// Who may enter the directory, as in `0700`.
    public var permissions = ""

    /// Files of the directory that others than its owner may read, change or enter.
    public var openToOthers: [FilePath] = []

    /// The file with the key that signs, if it is in its usual place.
    public var keyFile: FilePath?

    /// Who may do what with that file, as in `0600`.
    public var keyPermissions = ""

    /// Files that interrupted commands have left behind.
    public var leftovers: [FilePath] = []

    /// Whether something that was erased may still stand in unused places of the log's file.
    public var needsSweep = false

    /// Whether a source's clock went back while it was recording, and no decision says how to treat
    /// that.
    public var hasClockStep = false

    /// The rules that the ledger adopted by itself: `history for phone`.
    public var ownRules: [String] = []

    /// How many tokens there are, or `nil` if there never were any, or they cannot be read.
    public var tokenCount: UInt64?

    /// How many deliveries could not become events and are set aside.
    public var setAsideCount: UInt64?

    /// The last verified copy that is known here.
    public var lastBackup: SafekeepingRecord?

    /// The last time that a copy was restored to see that it can be.
    public var lastRehearsal: SafekeepingRecord?

    /// The last time that `ledger monthly` ran to its end.
    public var lastMonthly: SafekeepingRecord?

    /// The last complete scrub.
    public var lastScrub: SafekeepingRecord?

    /// Whether the log could be opened.
    public var isReadable: Bool { head != nil }

    /// Advice, the most urgent first.
    public var advice: [Advice] = []
}
