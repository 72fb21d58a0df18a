import EventStore
package import Platform
import Projections
import Proofs
import SystemPackage
package import TripEvents
package import TripLedger
import TripTracking
import TripsProjection

/// The notices that were sent to one address, and those that wait: a file in the ledger's directory
/// (Formats, *Notices that leave the house*).
///
/// A notice is recorded before it is sent and removed after the address has taken it, so a program
/// that is killed sends it again, and omits none.
package struct NoticeBook {
    private static let folder = "notices"
    private static let mostBytes = 1 << 26

    /// The digits of a digest that name a file.
    private static let digitCount = 16

    /// The bytes of such a name, with `.json`.
    private static let nameByteCount = digitCount + 5

    /// How many notices may wait before no more are looked for.
    private static let mostWaiting = 1_000

    /// How long to wait for a process that uses a book.
    private static let patience = Duration.seconds(1)

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
        try LedgerError.translating(at: path) { try Directory.make(folder) }
        try read()
    }

    private init(at path: FilePath) throws(LedgerError) {
        self.path = path
        try read()
    }

    /// Reads the file, if there is one.
    private mutating func read() throws(LedgerError) {
        let path = path
        let bytes: [UInt8]? = try LedgerError.translating(at: path) {
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
        String(SHA256.digest(Array(address.utf8).span).description.prefix(digitCount))
    }

    /// Writes notices down behind those that wait.
    package mutating func add(_ notices: [[UInt8]]) {
        waiting += notices
    }

    /// Strikes out the first notice that waits.
    package mutating func strikeFirst() {
        waiting.removeFirst()
    }

    /// Strikes out the notices that erasures since the last look may have reached: those of trips
    /// that are gone or have lost events, of visits, and of drives that only an odometer saw.
    ///
    /// The reminders among them that still hold are then found anew.
    ///
    /// - Parameter ledger: The ledger.
    /// - Returns: What erasures did to trips; `nil` if nothing was erased since.
    /// - Throws: `LedgerError`.
    package mutating func strikeErased(in ledger: Ledger) throws -> ErasedTrips? {
        let start = position ?? 0
        let last = try LedgerError.translating(at: ledger.path) { try ledger.log.lastErasure() }
        guard let last, last >= start else { return nil }
        let trips = try ledger.read { snapshot in
            ErasedTrips(
                there: Set(try snapshot.allTrips().map { $0.trip.id }),
                shortened: try snapshot.tripsShortened(byErasuresFrom: start)
            )
        }
        var struck: [[UInt8]] = []
        waiting.removeAll { json in
            guard trips.mayConcern(notice: json) else { return false }
            struck.append(json)
            return true
        }
        let names = Set(struck.compactMap(Self.reminderName))
        let tripsOfStruck = Set(struck.compactMap { JSONMembers($0.span)?.text("trip") })
        reminders = reminders.filter { name in
            guard let about = name.split(separator: " ").last.map(String.init),
                let trip = TripID(about)
            else { return !names.contains(name) }
            return !trips.mayConcern(trip) && !tripsOfStruck.contains(about)
        }
        return trips
    }

    /// Returns the name that a notice has among ``reminders``, if it may be that of a reminder
    /// without a trip.
    private static func reminderName(of notice: [UInt8]) -> String? {
        guard let members = JSONMembers(notice.span), let kind = members.text("notification"),
            let at = members.text("at").flatMap(RFC3339.time)
        else { return nil }
        return "\(kind) \(at.timestamp.milliseconds) \(members.text("about") ?? "")"
    }

    /// Strikes out of the books of all addresses the notices that erasures may have reached.
    ///
    /// - Parameter ledger: The ledger.
    /// - Returns: The names, in the ledger's directory, of the books that another process uses or
    ///   that cannot be read: they may still hold what was erased.
    /// - Throws: `.inputOutput`.
    package static func strikeErased(inBooksOf ledger: Ledger) throws(LedgerError) -> [String] {
        let folder = ledger.path.appending(Self.folder)
        let names: [String] = try LedgerError.translating(at: folder) {
            guard try Directory.holds(folder) else { return [] }
            // Others keep their files there, too.
            return try Directory.names(in: folder)
                .filter { $0.utf8.count == nameByteCount && $0.hasSuffix(".json") }
                .sorted()
        }
        var left: [String] = []
        for name in names {
            let path = folder.appending(name)
            let isDone = try? FileLock.reading(path.appendingSuffix(".lock"), within: patience) {
                var book = try NoticeBook(at: path)
                if try book.strikeErased(in: ledger) != nil { try book.save() }
                return true
            }
            if isDone != true { left.append("\(Self.folder)/\(name)") }
        }
        return left
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
