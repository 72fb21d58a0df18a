import DriveSimulation
import Foundation
import LedgerTestSupport
import Platform
import Projections
import RoutinesProjection
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TotalsProjection
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// The answers of a snapshot follow from the entries of its head, whatever is appended meanwhile.
@Suite struct SnapshotLawTests {
    /// A question, whose answer is text.
    private struct Question: Sendable {
        var name: String
        var ask: @Sendable (borrowing Snapshot) throws -> String

        init(_ name: String, _ ask: @escaping @Sendable (borrowing Snapshot) throws -> String) {
            self.name = name
            self.ask = ask
        }
    }

    private static let later = Timestamp(milliseconds: 1_900_000_000_000)
    private static let period = LocalPeriod(localDay: LocalDay(zone: .utc))

    /// Every question that a snapshot answers, about a trip that is there all the time.
    private static func questions(about trip: TripID) -> [Question] {
        let reference = TripReference.prefix(trip.description)
        return [
            Question("head") { "\($0.head)" },
            Question("trips") { "\(try $0.trips(TripFilter(includesUncounted: true)))" },
            Question("readTrips") { snapshot in
                var rows: [String] = []
                try snapshot.readTrips { row in
                    rows.append("\(row.trip.id) \(row.trip.distance)")
                    return true
                }
                return rows.joined(separator: "\n")
            },
            Question("trip") { "\(try $0.trip(reference).booked.details)" },
            Question("history") { "\(try $0.history(of: trip))" },
            Question("explain") { "\(try $0.explain(reference).amendments)" },
            Question("orphans") { "\(try $0.decisionsWithoutEffect().map(\.trip))" },
            Question("totals") { "\(try $0.totals(by: .tripClass, in: period).total)" },
            Question("unfinished") { "\(try $0.unfinishedTrips(in: period))" },
            Question("places") { "\(try $0.places().places.map(\.name))" },
            Question("vehicles") { "\(try $0.vehicles().readings(of: "van").count)" },
            Question("fields") { "\(try $0.fields().definitions.map(\.key))" },
            Question("routines") { "\(try $0.routines().routines.map(\.routine.name))" },
            Question("rules") {
                "\(try $0.rulesInForce().map { "\($0.source ?? "-") \($0.rules)" })"
            },
            Question("status") { snapshot in
                try snapshot.status(asOf: later).sources
                    .map { "\($0.name) \($0.events) \($0.latestAt)" }
                    .joined(separator: "\n")
            },
            Question("visits") {
                "\(try $0.visits().map { "\($0.source) \($0.visit.place.name)" })"
            },
            Question("changes") { "\(try $0.changes(since: .size(3)).entryCount)" },
            Question("log") { snapshot in
                var last: UInt64 = 0
                try snapshot.scanLog(from: 0) { stored in
                    last = stored.position
                    return true
                }
                return "\(last)"
            },
            Question("latestFix") { "\(try $0.latestFix()?.position ?? 0)" },
        ]
    }

    private static func start(of round: Int) -> Timestamp {
        Timestamp(milliseconds: 1_800_000_000_000 + Int64(round) * 3_600_000)
    }

    /// A reported trip of so many kilometres.
    private static func report(_ round: Int) throws -> EventBody {
        let at = start(of: round)
        let distance = ExactDecimal(significand: Int64(round) * 1_000, decimals: 0)
        return .tripReported(
            TripReported(
                startedAt: EventTime(at),
                endedAt: EventTime(at.advanced(byMilliseconds: 600_000)),
                distanceMeters: try #require(distance)
            )
        )
    }

    /// Events that change the answer to every question.
    private static func events(
        _ round: Int,
        about trip: TripID,
        fix: FixRecorded
    ) throws -> [TripEvent] {
        let longAgo = EventTime(Timestamp(milliseconds: 1_000_000_000_000))
        let place = PlaceSaved(
            place: "place \(round)",
            latitude: fix.latitude,
            longitude: fix.longitude,
            radiusMeters: try #require(ExactDecimal(significand: 500, decimals: 0))
        )
        let odometer = OdometerRead(
            vehicle: "van",
            value: try #require(ExactDecimal(significand: Int64(50_000 + round), decimals: 0)),
            unit: .kilometers
        )
        let field = FieldDefined(key: "field\(round)", label: "Field", valueType: .text)
        let edit = DetailsEdited(
            trip: trip,
            tripStartedAt: EventTime(start(of: round)),
            title: .set("title \(round)")
        )
        let orphan = DetailsEdited(
            trip: TripID(high: 7, low: UInt64(round)),
            tripStartedAt: longAgo,
            title: .set("lost")
        )
        var adopted = RulesAdopted(preset: "logger")
        adopted.appliesTo = "logger \(round)"
        let bodies: [(source: String, body: EventBody)] = [
            ("manual", .placeSaved(place)), ("manual", .odometerRead(odometer)),
            ("manual", .fieldDefined(field)),
            ("manual", .routineSaved(RoutineSaved(routine: "routine \(round)"))),
            ("manual", .detailsEdited(edit)), ("manual", .detailsEdited(orphan)),
            ("manual", try report(round)), ("manual", .rulesAdopted(adopted)),
            ("car \(round)", .goPressed(GoPressed())), ("car \(round)", .fixRecorded(fix)),
        ]
        return bodies.enumerated()
            .map { index, event in
                TripEvent(
                    source: event.source,
                    occurredAt: start(of: round).advanced(byMilliseconds: Int64(index) * 1_000),
                    body: event.body
                )
            }
    }

    /// Returns the ledger as it is, at another place, where nothing will be appended.
    private static func copy(
        of book: TemporaryLedger,
        in directory: TemporaryDirectory
    ) throws
        -> Ledger
    {
        let files = FileManager.default
        try files.createDirectory(
            atPath: directory.path("book"),
            withIntermediateDirectories: true
        )
        try files.copyItem(atPath: book.logPath, toPath: directory.path("book/log"))
        return try Ledger(at: FilePath(directory.path("book")))
    }

    @Test func `appends between any two questions change no answer`() throws {
        let book = try TemporaryLedger()
        let drive = DriveSimulator.events(of: .homeToOffice)
        try book.append(drive)
        let trip = try #require(try book.ledger.trips().first).trip.id
        let fix = try #require(
            drive.lazy
                .compactMap { event -> FixRecorded? in
                    guard case .fixRecorded(let fix) = event.body else { return nil }
                    return fix
                }
                .last
        )
        try book.append(try Self.events(0, about: trip, fix: fix))
        let questions = Self.questions(about: trip)
        let ledger = book.ledger
        let now = book.now

        let directory = try TemporaryDirectory()
        let still = try Self.copy(of: book, in: directory)
        defer { still.close() }
        let expected = try still.read { snapshot in
            try questions.map { try $0.ask(snapshot) }
        }

        let found = try ledger.read { snapshot in
            var answers: [String] = []
            for (index, question) in questions.enumerated() {
                answers.append(try question.ask(snapshot))
                let more = try Self.events(index + 1, about: trip, fix: fix)
                // Another thread appends, and brings the views up to date with that.
                let writer = try #require(
                    WorkerThread {
                        Result {
                            _ = try ledger.append(more, now: now)
                            return try ledger.read { $0.head.size }
                        }
                    }
                )
                #expect(try writer.join().get() > snapshot.head.size)
            }
            return answers
        }
        for (index, question) in questions.enumerated() {
            #expect(found[index] == expected[index], "\(question.name)")
        }
        // The law could fail: every answer is another one by now.
        let changed = try ledger.read { snapshot in
            try questions.map { try $0.ask(snapshot) }
        }
        for (index, question) in questions.enumerated() {
            #expect(changed[index] != expected[index], "\(question.name)")
        }
        try expectSound(ledger)
    }

    /// The sightings of threads in a ledger that grows.
    fileprivate struct Sightings: Sendable {
        /// The figures of each head.
        var figures: [LedgerHead: String] = [:]

        /// Figures that contradict others of the same head, or themselves.
        var contradictions: [String] = []

        /// Whether a reader has given up, so that the writer need not wait for it.
        var hasFailed = false

        mutating func note(_ text: String, isWhole: Bool, at head: LedgerHead) {
            let known = figures[head] ?? text
            figures[head] = known
            if known != text || !isWhole { contradictions.append("\(head): \(known), \(text)") }
        }
    }

    /// Reads figures that belong together, until the log has so many entries; returns how often.
    private static func read(
        _ ledger: Ledger,
        upTo size: UInt64,
        _ sightings: borrowing Mutex<Sightings>
    ) throws -> Int {
        for count in 1... {
            let head = try ledger.read { snapshot in
                let totals = try snapshot.totals(by: .tripClass, in: period).total
                var trips: [String] = []
                try snapshot.readTrips { row in
                    trips.append(row.trip.id.description)
                    return true
                }
                var entries: UInt64 = 0
                try snapshot.scanLog(from: 0) { _ in
                    entries += 1
                    return true
                }
                let isWhole = entries == snapshot.head.size && trips.count == Int(totals.trips)
                let text = "\(entries) entries, \(totals), \(trips)"
                sightings.withLock { $0.note(text, isWhole: isWhole, at: snapshot.head) }
                return snapshot.head
            }
            if head.size >= size { return count }
        }
        return 0
    }

    @Test func `eight threads read beside a writer, and each head has one set of figures`() throws {
        let book = try TemporaryLedger()
        let (ledger, now) = (book.ledger, book.now)
        let rounds = 40
        // The founding event, the event that registers the source, and the trips.
        let size = UInt64(rounds) + 2
        let sightings = Shared(Sightings())
        let readers = (0..<8)
            .compactMap { _ in
                WorkerThread {
                    Result {
                        do {
                            return try Self.read(ledger, upTo: size, sightings.value)
                        } catch {
                            sightings.value.withLock { $0.hasFailed = true }
                            throw error
                        }
                    }
                }
            }
        try #require(readers.count == 8)
        let writer = WorkerThread {
            Result {
                for round in 1...rounds {
                    let event = TripEvent(
                        source: "paper",
                        occurredAt: Self.start(of: round),
                        body: try Self.report(round)
                    )
                    _ = try ledger.append([event], now: now)
                    let head = try ledger.head()
                    // Each head is read by a thread at least, while others still read older ones.
                    while !sightings.value.withLock({ $0.hasFailed || $0.figures[head] != nil }) {
                        sched_yield()
                    }
                }
            }
        }
        try #require(writer).join().get()
        for reader in readers { #expect(try reader.join().get() > 0) }
        sightings.value.withLock { sightings in
            #expect(sightings.contradictions == [])
            #expect(sightings.figures.count >= rounds, "every head was read")
        }
        try expectSound(ledger)
    }
}

/// A lock that several threads share.
private final class Shared: Sendable {
    let value: Mutex<SnapshotLawTests.Sightings>

    init(_ value: SnapshotLawTests.Sightings) {
        self.value = Mutex(value)
    }
}
