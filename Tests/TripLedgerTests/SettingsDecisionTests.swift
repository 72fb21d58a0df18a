import LedgerTestSupport
import Projections
import Testing
import TripEvents

@testable import TripLedger

/// Changing settings is a decision: looked at, refused in words, and taken back.
@Suite struct SettingsDecisionTests {
    private static let now = EventTime(Timestamp(milliseconds: 1_900_000_100_000))

    @Test(arguments: [
        (SettingsChanged(timeZone: "Berlin"), "Did you mean 'Europe/Berlin'?"),
        (SettingsChanged(timeZone: "Europe/Berln"), "Did you mean 'Europe/Berlin'?"),
        (SettingsChanged(timeZone: "new york"), "Did you mean 'America/New_York'?"),
        (SettingsChanged(language: .set("nk")), "Did you mean 'nl'?"),
        (SettingsChanged(language: .set("en-UK")), "no country has the code uk"),
        (SettingsChanged(country: .set("uk")), "Did you mean 'gb'?"),
        (SettingsChanged(country: .set("xx")), "no country has this code"),
    ])
    func `what is not known is refused with the name that is nearest`(
        change: SettingsChanged,
        words: String
    ) throws {
        let book = try TemporaryLedger()
        let outcome = try book.ledger.decide(.changeSettings(change), now: Self.now)
        guard case .rejected(let rejection) = outcome.receipt else {
            Issue.record("it was taken")
            return
        }
        #expect(rejection.code == .unknownValue && rejection.sentence.contains(words))
        #expect(try book.ledger.head().size == 1)
    }

    @Test func `a group has no settings and no rates of its own`() throws {
        let book = try TemporaryLedger()
        let hash = String(repeating: "0", count: 64)
        let rates = RatesLoaded(table: "own", rates: ["{}"], contentHash: hash)
        let change = SettingsChanged(units: .miles)
        for decision in [LedgerDecision.changeSettings(change), .loadRates(rates)] {
            let outcome = try book.ledger.decide(decision, for: "17", now: Self.now)
            guard case .rejected(let rejection) = outcome.receipt else {
                Issue.record("it was taken")
                continue
            }
            #expect(rejection.code == .otherGroup)
            #expect(rejection.sentence.contains("are its owner's alone"), "\(rejection)")
        }
        #expect(try book.ledger.head().size == 1)
    }

    @Test func `what was stored and cannot stand is named in the words that refuse it`() throws {
        let book = try TemporaryLedger(settings: LedgerSettings(timeZone: "Europe/Amsterdam"))
        let size = try book.ledger.head().size
        let hash = String(repeating: "0", count: 64)
        let bodies: [(EventBody, group: String?)] = [
            (.settingsChanged(SettingsChanged(timeZone: "Europe/Berln")), nil),
            (.settingsChanged(SettingsChanged(country: .set("uk"))), nil),
            (.settingsChanged(SettingsChanged(language: .set("nk"))), nil),
            (.settingsChanged(SettingsChanged(units: .miles)), "17"),
            (.ratesLoaded(RatesLoaded(table: "own", rates: ["{}"], contentHash: hash)), "17"),
        ]
        let events = bodies.enumerated()
            .map { number, said in
                TripEvent(
                    source: said.group ?? "elsewhere",
                    group: said.group,
                    occurredAt: Timestamp(milliseconds: 1_700_000_000_000 + Int64(number)),
                    body: said.0
                )
            }
        try book.append(events)
        let named = try book.ledger.decisionsWithoutEffect()
        let words = named.map { $0.obstacle.cause(by: nil) }
        let names = Array(repeating: "unknown_value", count: 3) + ["other_group", "other_group"]
        #expect(named.map(\.obstacle.name) == names)
        for (said, words) in zip(bodies, words) {
            let decision: LedgerDecision
            switch said.0 {
            case .settingsChanged(let change): decision = .changeSettings(change)
            case .ratesLoaded(let rates): decision = .loadRates(rates)
            default: continue
            }
            let outcome = try book.ledger.decide(decision, for: said.group, now: Self.now)
            guard case .rejected(let rejection) = outcome.receipt else {
                Issue.record("it was taken")
                continue
            }
            #expect(rejection.sentence.dropFirst().hasPrefix(words.dropFirst()), "\(words)")
        }
        let changes = try book.ledger.changes(since: .size(size))
        #expect(changes.withoutEffect == bodies.count)
        #expect(try book.ledger.read { try $0.settingChanges() } == [])
    }

    @Test func `what is changed now is taken back to what it was`() throws {
        let book = try TemporaryLedger()
        _ = try book.ledger.decide(
            .changeSettings(SettingsChanged(keeper: .set("Eva"), language: .set("nl"))),
            now: Self.now
        )
        let change = SettingsChanged(
            timeZone: "Asia/Tokyo",
            keeper: .set("Roofs & Sons"),
            language: .cleared,
            paper: .set(.letter)
        )
        let later = EventTime(Self.now.timestamp.advanced(byMilliseconds: 60_000))
        let outcome = try book.ledger.decide(.changeSettings(change), now: later)
        let undo = try #require(outcome.undo)
        #expect(
            undo
                == .changeSettings(
                    SettingsChanged(
                        timeZone: "UTC",
                        keeper: .set("Eva"),
                        language: .set("nl"),
                        paper: .cleared
                    )
                )
        )
        let last = EventTime(later.timestamp.advanced(byMilliseconds: 120_000))
        _ = try book.ledger.decide(undo, now: last)
        let settings = try book.ledger.settings()
        // A zone holds from the next whole minute on.
        let minute = last.timestamp.advanced(byMilliseconds: 60_000)
        #expect(settings.timeZone(at: minute) == "UTC")
        #expect(settings.paper(at: last.timestamp) == nil)
        #expect(settings.saying(of: .paper, at: last.timestamp)?.since?.timestamp == last.timestamp)
    }

    @Test func `a zone holds from the beginning while the ledger is only set up`() throws {
        let book = try TemporaryLedger(settings: LedgerSettings(timeZone: "UTC"))
        let early = Timestamp(milliseconds: 1_500_000_000_000)
        func decide(_ decision: LedgerDecision) throws {
            let outcome = try book.ledger.decide(decision, by: "Eva", now: Self.now)
            #expect(outcome.receipt.storedPosition != nil)
        }
        try decide(.changeSettings(SettingsChanged(language: .set("de"))))
        for zone in ["Asia/Tokyo", "Europe/Berlin"] {
            try decide(.changeSettings(SettingsChanged(timeZone: zone)))
            let settings = try book.ledger.settings()
            #expect(settings.timeZones.map(\.name) == [zone])
            #expect(settings.timeZones.map(\.start) == [nil])
            #expect(settings.timeZone(at: early) == zone)
            #expect(settings.saying(of: .timeZone, at: early)?.actor == "Eva")
        }
        // What was recorded keeps the zone in which it happened.
        try book.append([
            TripEvent(source: "car", occurredAt: early, body: .goPressed(GoPressed()))
        ])
        try decide(.changeSettings(SettingsChanged(timeZone: "Asia/Tokyo")))
        let settings = try book.ledger.settings()
        #expect(settings.timeZones.map(\.name) == ["Europe/Berlin", "Asia/Tokyo"])
        #expect(settings.timeZone(at: early) == "Europe/Berlin")
    }

    @Test func `what holds from another day on is not taken back by what holds from now on`()
        throws
    {
        let book = try TemporaryLedger()
        let outcome = try book.ledger.decide(
            .changeSettings(SettingsChanged(timeZone: "Asia/Tokyo")),
            at: EventTime(Timestamp(milliseconds: 1_700_000_000_000)),
            now: Self.now
        )
        #expect(outcome.receipt.storedPosition != nil && outcome.undo == nil)
    }

    @Test func `the audit trail tells each setting that was changed, and no group's`() throws {
        let book = try TemporaryLedger(settings: LedgerSettings(timeZone: "UTC"))
        func event(_ change: SettingsChanged, _ second: Int64, group: String? = nil) -> TripEvent {
            TripEvent(
                source: group ?? "manual",
                group: group,
                occurredAt: Timestamp(milliseconds: 1_700_000_000_000 + second * 1_000),
                body: .settingsChanged(change)
            )
        }
        try book.append([
            event(SettingsChanged(timeZone: "Asia/Tokyo", paper: .set(.a4)), 1),
            event(SettingsChanged(units: .miles), 2, group: "17"),
            event(SettingsChanged(paper: .cleared), 3),
        ])
        let lines = try book.ledger.read { try $0.settingChanges() }
        #expect(lines.map(\.change.field) == ["paper", "time_zone", "paper"])
        #expect(lines.map(\.change.old) == [nil, .text("UTC"), .text("a4")])
        #expect(lines.map(\.change.new) == [.text("a4"), .text("Asia/Tokyo"), nil])
        #expect(lines.allSatisfy { $0.about == .setting(.settings) })
    }
}
