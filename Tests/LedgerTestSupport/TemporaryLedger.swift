import EventStore
import Foundation
package import LedgerKeeping
import LedgerRows
import Platform
package import SystemPackage
import Tables
package import TestSupport
package import TripEvents
package import TripLedger
import TripsProjection

/// A real ledger in a directory of its own, with a clock that the test moves.
package final class TemporaryLedger {
    package let directory: TemporaryDirectory
    package private(set) var ledger: Ledger

    /// When the ledger stores what it is given next.
    package var now = Timestamp(milliseconds: 1_900_000_000_000)

    package var path: FilePath { FilePath(directory.path("book")) }
    package var logPath: String { directory.path("book/log") }
    package var viewsPath: String { directory.path("book/views") }

    /// The signed heads, those outside beside the ledger.
    package var heads: HeadStore {
        HeadStore(of: ledger, outsideIn: FilePath(directory.path("outside")))
    }

    package init(settings: LedgerSettings = LedgerSettings()) throws {
        directory = try TemporaryDirectory()
        ledger = try Ledger.create(
            at: FilePath(directory.path("book")),
            settings: settings,
            now: now
        )
    }

    deinit {
        ledger.close()
    }

    /// Closes the ledger, does something to its files, and opens it again.
    package func whileClosed(_ body: () throws -> Void) throws {
        ledger.close()
        try body()
        ledger = try Ledger(at: path)
    }

    /// Writes the files anew, so that nothing is left in them of what was erased.
    package func sweep() throws {
        if let swept = try ledger.sweep() { ledger = swept }
    }

    /// Appends events a second after the last ones.
    @discardableResult
    package func append(_ events: [TripEvent]) throws -> [Receipt] {
        now = now.advanced(byMilliseconds: 1_000)
        return try ledger.append(events, now: now)
    }

    /// Appends an event of a kind that this program would not take from anybody, as a newer one
    /// might have, and returns its position.
    package func appendOfTheFuture(
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
        let result = try ledger.eventLog.append(
            batch,
            recordedAt: now.milliseconds,
            conditions: AppendConditions(),
            registration: EntryContent.registration,
            randomness: &random
        )
        guard case .appended(let position) = result.outcomes.first else {
            throw CocoaError(.featureUnsupported)
        }
        return position
    }

    /// Returns every trip as JSON, newest first.
    package func rows() throws -> [String] {
        try trips().map(json)
    }

    /// Returns every trip as JSON, newest first, without what depends on the order of arrival.
    package func rowsWithoutArrival() throws -> [String] {
        try trips().map { json($0.withoutArrival) }
    }

    private func trips() throws -> [TripRow] {
        try ledger.trips(TripFilter(includesUncounted: true))
    }

    private func json(_ row: TripRow) -> String {
        var bytes: [UInt8] = []
        NamedTrip.columns.appendJSON(NamedTrip(row.booked), to: &bytes, by: nil)
        return String(decoding: bytes, as: UTF8.self)
    }
}
