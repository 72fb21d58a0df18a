import DriveSimulation
import LedgerTestSupport
import ProjectorTestSupport
import Reports
import TestSupport
import Testing
import TripEvents
import TripLedger

/// A report about a group is made of that group, and of what the owner said for all.
@Suite struct GroupReportTests {
    /// The drives of a group, and what its people decided.
    private struct Part {
        var group: String
        var drives: [TripEvent]
        var decisions: [TripEvent]
    }

    private static let start = Timestamp(milliseconds: 1_900_000_000_000)
    private static let now = start.advanced(byMilliseconds: 100_000)

    /// The days of the drives begin here.
    private static let drives = Timestamp(milliseconds: 1_700_000_000_000)

    private static func part(of group: String, seed: UInt64) throws -> Part {
        func owned(_ event: TripEvent) -> TripEvent {
            var event = event
            event.source += "-\(group)"
            event.group = group
            return event
        }
        let drives = try ProjectorLaws.randomDrives(seed: seed).map(owned)
        let book = try TemporaryLedger()
        try book.append(drives)
        let known = try book.ledger.trips(TripFilter(includesUncounted: true))
            .map { row in
                RandomDecisions.Known(id: row.trip.id, startedAt: row.trip.startedAt.timestamp)
            }
        let instants = (0..<9).map { Timestamp(milliseconds: 1_800_000_000_000 + $0 * 1_000) }
        let people = RandomDecisions(trips: known, instants: instants)
        var random = SplitMix64(seed: seed)
        let decisions = (0..<40).map { _ in owned(people.next(using: &random)) }
        return Part(group: group, drives: drives, decisions: decisions)
    }

    /// What the owner says of a car whose name both groups use.
    private static let owners = [reading(1_000, after: 0), reading(1_900, after: 400_000_000)]

    private static func reading(_ value: ExactDecimal, after milliseconds: Int64) -> TripEvent {
        TripEvent(
            source: "manual",
            occurredAt: drives.advanced(byMilliseconds: milliseconds),
            body: .odometerRead(OdometerRead(vehicle: "phone", value: value, unit: .kilometers))
        )
    }

    /// Returns a ledger of some groups, which stores the same at the same time as another one.
    private static func book(of parts: [Part]) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        let batches = [parts.flatMap(\.drives), parts.flatMap(\.decisions), owners]
        for (index, events) in batches.enumerated() {
            book.now = start.advanced(byMilliseconds: Int64(index) * 10_000)
            try book.append(events)
        }
        return book
    }

    /// Returns a report without what no two ledgers share: the ledger's name, the last trip that
    /// silence ended in all of it, and the group.
    private static func report(
        _ request: ReportRequest,
        of book: TemporaryLedger
    ) throws -> String {
        let bytes = try book.ledger.read(asOf: now) { snapshot in
            try ResolvedReport(request, asOf: now, of: snapshot, by: ReportMeans { _ in [] })
                .bytes(snapshot).bytes
        }
        return String(decoding: bytes, as: UTF8.self)
            .replacing(try Regex(##""ledger":"[^"]*""##), with: "")
            .replacing(try Regex(##""as_of":("[^"]*"|null)"##), with: "")
            .replacing(try Regex(##""group":"[^"]*","##), with: "")
    }

    private static func request(_ kind: ReportKind) -> ReportRequest {
        var request = ReportRequest(kind)
        request.format = .json
        request.draft = true
        if kind == .claim || kind == .methods { request.year = 2_023 }
        if [.claim, .methods, .summary, .completeness].contains(kind) {
            request.jurisdiction = "nl"
        }
        return request
    }

    @Test(arguments: ReportKind.allCases, Seeds.fresh(4))
    func `a report about a group is that of a ledger which has this group alone`(
        kind: ReportKind,
        seed: UInt64
    ) throws {
        let parts = [
            try Self.part(of: "17", seed: seed), try Self.part(of: "18", seed: seed &+ 1),
        ]
        let whole = try Self.book(of: parts)
        for part in parts {
            let alone = try Self.book(of: [part])
            var request = Self.request(kind)
            request.group = GroupSelection(part.group)
            let remark: Comment = "seed \(seed), group \(part.group)"
            let said = try Self.report(request, of: whole)
            #expect(try Self.report(request, of: alone) == said, remark)
            request.group = nil
            #expect(try Self.report(request, of: alone) == said, remark)
        }
    }

    /// A trip of a group, as a person reports it.
    private static func trip(in group: String?, at hours: Int64) -> TripEvent {
        let end = drives.advanced(byMilliseconds: hours * 3_600_000)
        var details = TripDetails()
        details.vehicle = "golf"
        return TripEvent(
            source: group.map { "manual/\($0)" } ?? "manual",
            group: group,
            occurredAt: end,
            body: .tripReported(
                TripReported(
                    startedAt: EventTime(end.advanced(byMilliseconds: -1_800_000)),
                    endedAt: EventTime(end),
                    distanceMeters: 10_000,
                    details: details
                )
            )
        )
    }

    private static func registration(in group: String?) -> TripEvent {
        TripEvent(
            source: group.map { "manual/\($0)" } ?? "manual",
            group: group,
            occurredAt: drives,
            body: .vehicleRegistered(VehicleRegistered(vehicle: "golf", plate: "P-1"))
        )
    }

    /// Returns the reason for which a log is refused; `nil` if it is made.
    private static func refusal(of events: [TripEvent]) throws -> LedgerError? {
        let book = try TemporaryLedger()
        try book.append(events)
        do {
            _ = try report(request(.log), of: book)
            return nil
        } catch let error as LedgerError {
            return error
        }
    }

    @Test func `a name that means several vehicles is refused, and one car of all groups is not`()
        throws
    {
        let both = [Self.trip(in: "17", at: 1), Self.trip(in: "18", at: 2)]
        let refused = try #require(try Self.refusal(of: both))
        #expect(refused.code == .ambiguous)
        #expect(refused.cause == #"2 groups have a vehicle "golf": 17, 18"#)
        #expect(refused.hint == "Say which is meant with --group")
        // Only one of them registers it: the plate is not the other one's.
        #expect(try Self.refusal(of: both + [Self.registration(in: "17")]) != nil)
        // The owner's car is one for all.
        #expect(try Self.refusal(of: both + [Self.registration(in: nil)]) == nil)
        let mixed = [Self.trip(in: "17", at: 1), Self.trip(in: nil, at: 2)]
        #expect(try Self.refusal(of: mixed) == nil)
        let other = try #require(try Self.refusal(of: mixed + [Self.registration(in: "17")]))
        #expect(other.cause == #"2 groups have a vehicle "golf": '' (the owner), 17"#)
    }

    @Test func `the owner's sources are a selection too, and an issued report says it`() throws {
        let book = try TemporaryLedger()
        try book.append([
            Self.trip(in: "17", at: 1), Self.trip(in: nil, at: 2), Self.registration(in: "17"),
        ])
        for group in [nil, "17"] {
            var request = Self.request(.log)
            request.group = GroupSelection(group)
            let again = try ReportRequest(json: request.json)
            #expect(again == request)
            let report = try Self.report(again, of: book)
            let total = #""kind":"total","trips":1,"distance_m":10000.000"#
            #expect(report.contains(total), "\(report)")
        }
    }
}
