import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import SystemPackage
import Testing
import TripEvents
import TripLedger
import TripsProjection

/// A real ledger in a directory of its own, with a clock that the test moves.
final class TemporaryLedger {
    let directory: TemporaryDirectory
    private(set) var ledger: Ledger

    /// When the ledger stores what it is given next.
    var now = Timestamp(milliseconds: 1_900_000_000_000)

    var path: FilePath { FilePath(directory.path("book")) }
    var logPath: String { directory.path("book/log") }
    var viewsPath: String { directory.path("book/views") }

    init() throws {
        directory = try TemporaryDirectory()
        ledger = try Ledger.create(
            at: FilePath(directory.path("book")),
            settings: LedgerSettings(),
            now: now
        )
    }

    deinit {
        ledger.close()
    }

    /// Closes the ledger, does something to its files, and opens it again.
    func whileClosed(_ body: () throws -> Void) throws {
        ledger.close()
        try body()
        ledger = try Ledger(at: path)
    }

    /// Appends an event of a kind that this version does not know, as a newer one would, and
    /// returns its position.
    func appendAsNewerVersion(
        _ event: UnknownEvent,
        source: String,
        occurredAt: Timestamp
    ) throws -> UInt64 {
        var batch = EntryBatch()
        batch.append(
            sourceIndex: batch.index(ofSource: source),
            kind: event.kind,
            form: event.form,
            occurredAt: occurredAt.milliseconds,
            id: [UInt8]().span,
            payload: event.payload.span
        )
        var position: UInt64 = 0
        try whileClosed {
            let log = try EventLog(at: FilePath(logPath))
            defer { log.close() }
            var random = SplitMix64(seed: 1)
            let result = try log.append(
                batch,
                recordedAt: now.milliseconds,
                registration: { _, _ in EntryContent(kind: 0x02, form: 0, payload: []) },
                randomness: &random
            )
            position = result.head.size - 1
            #expect(result.outcomes == [.appended(position: position)])
        }
        return position
    }

    /// Appends events a second after the last ones.
    @discardableResult
    func append(_ events: [TripEvent]) throws -> [Receipt] {
        now = now.advanced(byMilliseconds: 1_000)
        return try ledger.append(events, now: now)
    }

    /// Returns every trip as JSON, newest first.
    func rows() throws -> [String] {
        try trips().map(json)
    }

    /// Returns every trip as JSON, newest first, without what depends on the order of arrival.
    func rowsWithoutArrival() throws -> [String] {
        try trips().map { json($0.withoutArrival) }
    }

    private func trips() throws -> [TripRow] {
        try ledger.trips(TripFilter(includesAbandoned: true))
    }

    private func json(_ row: TripRow) -> String {
        var bytes: [UInt8] = []
        row.appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
