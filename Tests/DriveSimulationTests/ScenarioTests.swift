import DriveSimulation
import TestSupport
import Testing
import TripEvents

@Suite struct ScenarioTests {
    /// What a scenario holds, whatever its seed.
    struct Facts: CustomTestStringConvertible, Sendable {
        let scenario: Scenario
        let kinds: [EventKind: Int]
        let seconds: Int64
        let first: [String]
        let last: [String]

        var testDescription: String { scenario.rawValue }
    }

    @Test(arguments: Scenario.allCases)
    func `the same seed gives the same events`(scenario: Scenario) {
        for seed in Seeds.fresh(4) {
            let events = DriveSimulator.events(of: scenario, seed: seed)
            #expect(events == DriveSimulator.events(of: scenario, seed: seed))
        }
    }

    @Test(arguments: [Scenario.trafficJam, .parkedDrift, .forgottenStop])
    func `what is left to chance differs from seed to seed`(scenario: Scenario) {
        for seed in Seeds.fresh(4) {
            let events = DriveSimulator.events(of: scenario, seed: seed)
            #expect(events != DriveSimulator.events(of: scenario, seed: seed &+ 1))
        }
    }

    @Test func `there are facts about every scenario`() {
        #expect(Self.facts.map(\.scenario) == Scenario.allCases)
    }

    @Test(arguments: facts)
    func `a scenario holds what its name says`(facts: Facts) throws {
        let events = DriveSimulator.events(of: facts.scenario)
        let kinds = Dictionary(grouping: events, by: \.body.kind).mapValues(\.count)
        #expect(kinds == Dictionary(uniqueKeysWithValues: facts.kinds.map { ($0, $1) }))

        let times = events.map(\.occurredAt)
        let start = try #require(times.min())
        let end = try #require(times.max())
        #expect(start == DriveSimulator.scenarioStart)
        #expect(end.milliseconds(since: start) == facts.seconds * 1_000)

        let fixes = events.sorted { $0.occurredAt < $1.occurredAt }.compactMap(\.fixRecorded)
        #expect(fixes.first.map(Self.position) == facts.first)
        if !facts.last.isEmpty {
            #expect(fixes.last.map(Self.position) == facts.last)
        }
        #expect(fixes.allSatisfy { $0.accuracy?.description == "10" && $0.isMock == nil })
    }

    @Test func `home to office is the route that the rules name`() {
        let fixes = DriveSimulator.events(of: .homeToOffice).compactMap(\.fixRecorded)
        #expect(
            fixes.map(Self.position) == [
                ["51.927", "4.362"], ["51.93", "4.39"], ["51.935", "4.42"], ["51.938", "4.45"],
                ["51.942", "4.485"],
            ]
        )
    }

    @Test func `fixes of a commute are a minute apart`() {
        let times = DriveSimulator.events(of: .homeToOffice)
            .filter { $0.fixRecorded != nil }
            .map(\.occurredAt)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1.milliseconds(since: $0) == 60_000 })
    }

    @Test(arguments: [Scenario.lateUpload, .shuffledUpload])
    func `late and shuffled events are those of home to office`(scenario: Scenario) {
        for seed in Seeds.fresh(8) {
            let arrived = DriveSimulator.events(of: scenario, seed: seed)
            let inOrder = DriveSimulator.events(of: .homeToOffice)
            #expect(Set(arrived) == Set(inOrder))
            #expect(arrived.count == inOrder.count)
        }
    }

    @Test func `late fixes arrive after STOP`() throws {
        let kinds = DriveSimulator.events(of: .lateUpload).map(\.body.kind)
        #expect(kinds.suffix(3) == [.stopPressed, .fixRecorded, .fixRecorded])
    }

    @Test func `some seed shuffles an upload out of order`() {
        let inOrder = DriveSimulator.events(of: .homeToOffice)
        let shuffled = (0..<20)
            .filter {
                DriveSimulator.events(of: .shuffledUpload, seed: $0) != inOrder
            }
        #expect(shuffled.count >= 18)
    }

    @Test func `a summary is one sentence`() {
        for scenario in Scenario.allCases {
            #expect(scenario.summary.hasSuffix("."))
            #expect(!scenario.summary.dropLast().contains("."))
        }
        #expect(Set(Scenario.allCases.map(\.summary)).count == Scenario.allCases.count)
    }

    private static func position(_ fix: FixRecorded) -> [String] {
        [fix.latitude.description, fix.longitude.description]
    }

    private static let home = ["51.927", "4.362"]
    private static let office = ["51.942", "4.485"]
    private static let commute: [EventKind: Int] = [
        .goPressed: 1, .fixRecorded: 5, .stopPressed: 1,
    ]

    static let facts = [
        Facts(
            scenario: .homeToOffice,
            kinds: commute,
            seconds: 305,
            first: home,
            last: office
        ),
        Facts(
            scenario: .stationary,
            kinds: [.motionChanged: 2, .fixRecorded: 3],
            seconds: 240,
            first: home,
            last: home
        ),
        Facts(
            scenario: .skipLocation,
            kinds: [.placeSaved: 1, .goPressed: 1, .fixRecorded: 6, .stopPressed: 1],
            seconds: 365,
            first: home,
            last: office
        ),
        Facts(
            scenario: .tunnel,
            kinds: [.goPressed: 1, .fixRecorded: 5, .locationFailed: 1, .stopPressed: 1],
            seconds: 545,
            first: home,
            last: office
        ),
        Facts(
            scenario: .trafficJam,
            kinds: [.goPressed: 1, .fixRecorded: 25, .stopPressed: 1],
            seconds: 1_505,
            first: home,
            last: office
        ),
        Facts(
            scenario: .parkedDrift,
            kinds: [.goPressed: 1, .fixRecorded: 65, .stopPressed: 1, .motionChanged: 1],
            seconds: 3_905,
            first: home,
            last: []
        ),
        Facts(
            scenario: .batteryDeath,
            kinds: [.goPressed: 1, .fixRecorded: 5, .authorizationChanged: 1, .stopPressed: 1],
            seconds: 1_505,
            first: home,
            last: office
        ),
        Facts(
            scenario: .forgottenStop,
            kinds: [.goPressed: 1, .fixRecorded: 65],
            seconds: 3_900,
            first: home,
            last: []
        ),
        Facts(
            scenario: .doubleGo,
            kinds: [.goPressed: 2, .fixRecorded: 5, .stopPressed: 1],
            seconds: 305,
            first: home,
            last: office
        ),
        Facts(
            scenario: .walkingAway,
            kinds: [.motionChanged: 2, .fixRecorded: 8],
            seconds: 510,
            first: home,
            last: []
        ),
        Facts(
            scenario: .lowConfidenceMotion,
            kinds: [.motionChanged: 1, .fixRecorded: 5],
            seconds: 300,
            first: home,
            last: office
        ),
        Facts(scenario: .lateUpload, kinds: commute, seconds: 305, first: home, last: office),
        Facts(
            scenario: .shuffledUpload,
            kinds: commute,
            seconds: 305,
            first: home,
            last: office
        ),
        Facts(
            scenario: .clockJump,
            kinds: commute,
            seconds: 3_840,
            first: home,
            last: ["51.938", "4.45"]
        ),
    ]
}

extension TripEvent {
    /// The reading, if the event is one.
    var fixRecorded: FixRecorded? {
        guard case .fixRecorded(let fix) = body else { return nil }
        return fix
    }
}
