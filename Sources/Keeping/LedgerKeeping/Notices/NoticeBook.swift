package import Platform
import Projections
import Proofs
import SystemPackage
package import TripEvents
package import TripLedger

/// The notices that were sent to one address, and those that wait: a file in the ledger's directory
/// (Formats, *Notices that leave the house*).
///
/// A notice is recorded before it is sent and removed after the address has taken it, so a program
/// that is killed sends it again, and omits none.
package struct NoticeBook {
    private static let folder = "notices"
    private static let mostBytes = 1 << 26

    /// How many notices may wait before no more are looked for.
    private static let mostWaiting = 1_000

    /// The size of the log up to which everything was looked at; `nil` before the first look.
    package var position: UInt64?

    /// When it was last looked.
    package var lookedAt: Timestamp?

    /// The names of the reminders that were written down and still hold.
    package var reminders: Set<String> = []

    /// The notices that wait, the oldest first: `notification.v1.schema.json` each.
    package private(set) var waiting: [[UInt8]] = []

    private let path: FilePath

    /// Whether there is room for more notices.
    package var hasRoom: Bool { waiting.count < Self.mostWaiting }

    /// Reads what is known of an address.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - address: The address.
    /// - Throws: `.damaged` if the file is not a notice book; `.inputOutput`.
    package init(of ledger: Ledger, for address: String) throws(LedgerError) {
        let folder = ledger.path.appending(Self.folder)
        path = folder.appending("\(Self.name(of: address)).json")
        let path = path
        let bytes: [UInt8]? = try LedgerError.translating(at: path) {
            try Directory.make(folder)
            guard try Directory.holds(path) else { return nil }
            return try PrivateFile.read(path, maximumByteCount: Self.mostBytes)
        }
        guard let bytes else { return }
        guard let members = JSONMembers(bytes.span), members.number("version") == 1,
            let position = members.number("position"),
            let lookedAt = members.text("looked_at").flatMap(RFC3339.time),
            let reminders = members.texts("reminders"), let waiting = members.texts("waiting")
        else {
            throw LedgerError(
                .damaged,
                at: path.string,
                cause: "it does not say what was told",
                hint: "Move it away, and notices begin anew"
            )
        }
        self.position = position
        self.lookedAt = lookedAt.timestamp
        self.reminders = Set(reminders)
        self.waiting = waiting.map { Array($0.utf8) }
    }

    /// Returns the name of an address in the names of files: the first 16 digits of its SHA-256.
    package static func name(of address: String) -> String {
        String(SHA256.digest(Array(address.utf8).span).description.prefix(16))
    }

    /// Writes notices down behind those that wait.
    package mutating func add(_ notices: [[UInt8]]) {
        waiting += notices
    }

    /// Strikes out the first notice that waits.
    package mutating func strikeFirst() {
        waiting.removeFirst()
    }

    /// Stores the book; it is durable when this returns.
    ///
    /// - Throws: `.inputOutput`, `.diskFull`.
    package func save() throws(LedgerError) {
        var json = RowJSON()
        json.add("version", integer: 1)
        json.add("position", integer: Int64(clamping: position ?? 0))
        json.add("looked_at", time: EventTime(lookedAt ?? Timestamp(milliseconds: 0)))
        json.add("reminders", texts: reminders.sorted())
        json.add("waiting", texts: waiting.map { String(decoding: $0, as: UTF8.self) })
        try LedgerError.translating(at: path) {
            try DurableFile.replace(path, with: json.object)
        }
    }

    /// Keeps other processes from sending to the same address while `body` runs.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - address: The address.
    ///   - notice: Called if another process is sending to it.
    ///   - body: What to do.
    /// - Returns: What `body` returned.
    /// - Throws: `Errno`, and what `body` throws.
    package static func holding<Result>(
        of ledger: Ledger,
        for address: String,
        _ notice: WaitNotice,
        _ body: (NoticeBook) throws -> Result
    ) throws -> Result {
        let lock = try NoticeBook(of: ledger, for: address).path.appendingSuffix(".lock")
        return try FileLock.holding(lock, isMade: true, notice) {
            try body(NoticeBook(of: ledger, for: address))
        }
    }
}
