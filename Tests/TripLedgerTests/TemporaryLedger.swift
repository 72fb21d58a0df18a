import EventStore
import Foundation
import LedgerTestSupport
import Platform
import RowFormats
import SystemPackage
import TripEvents
import TripsProjection

@testable import TripLedger

/// A real ledger in a directory of its own, with a clock that the test moves.
final class TemporaryLedger {
    let directory: TemporaryDirectory
    private(set) var ledger: Ledger

    /// When the ledger stores what it is given next.
    var now = Timestamp(milliseconds: 1_900_000_000_000)

    var path: FilePath { FilePath(directory.path("book")) }
    var logPath: String { directory.path("book/log") }
    var viewsPath: String { directory.path("book/views") }

    /// The signed heads, those outside beside the ledger.
    var heads: HeadStore {
        HeadStore(of: ledger, outsideIn: FilePath(directory.path("outside")))
    }

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

    /// Writes the files anew, so that nothing is left in them of what was erased.
    func sweep() throws {
        if let swept = try ledger.sweep() { ledger = swept }
    }

    /// Appends events a second after the last ones.
    @discardableResult
    func append(_ events: [TripEvent]) throws -> [Receipt] {
        now = now.advanced(byMilliseconds: 1_000)
        return try ledger.append(events, now: now)
    }

    /// Appends an event of a kind that this program would not take from anybody, as a newer one
    /// might have, and returns its position.
    func appendOfTheFuture(
        kind: UInt8,
        payload: [UInt8],
        source: String,
        occurredAt: Timestamp
    ) throws -> UInt64 {
        var batch = EntryBatch()
        batch.append(
            sourceIndex: batch.index(ofSource: source),
            kind: kind,
            form: 0,
            occurredAt: occurredAt.milliseconds,
            id: Span(),
            payload: payload.span
        )
        var random = BufferedRandom()
        let result = try ledger.append(batch, recordedAt: now, randomness: &random)
        guard case .appended(let position) = result.outcomes.first else {
            throw CocoaError(.featureUnsupported)
        }
        return position
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
        try ledger.trips(TripFilter(includesUncounted: true))
    }

    private func json(_ row: TripRow) -> String {
        var bytes: [UInt8] = []
        NamedTrip.columns.appendJSON(NamedTrip(row.booked), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
