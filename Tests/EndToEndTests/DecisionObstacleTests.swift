import DriveSimulation
import Foundation
import LedgerTestSupport
import Testing

/// A decision that cannot stand is refused in the same words at every door, and has no effect if it
/// comes as a fact.
@Suite struct DecisionObstacleTests {
    /// A decision that cannot stand, as each door takes it.
    private struct Case {
        /// The members of an event's line beside source and time; a request for a decision has the
        /// same.
        var members: String

        /// The arguments of the command.
        var arguments: [String]

        /// Why it cannot stand, in the words of the command.
        var words: String
    }

    /// Trips at 8, 10 and 12 of the golf, of the van and of none, the last one voided.
    private static let fixture = LedgerProcess.Fixture(
        shell: """
            ledger init > /dev/null
            for hour in 08 10 12; do
              ledger simulate tunnel --source car | sed s/T08:/T$hour:/ | ledger append > /dev/null
            done
            ledger trips --format json | cut -c8-39 | tac > trips
            ledger edit $(sed -n 1p trips) --vehicle golf > /dev/null
            ledger edit $(sed -n 2p trips) --vehicle van > /dev/null
            ledger void $(sed -n 3p trips) --why Ferry > /dev/null
            """
    )

    private static func begin() throws -> (process: LedgerProcess, cases: [Case]) {
        let process = try fixture.copy()
        let ids = try process.shell("cat trips").lines
        try #require(ids.count == 3)
        let (golf, van, voided) = (ids[0], ids[1], ids[2])
        return (
            process,
            [
                Case(
                    members: #""type":"trips_merged","trips":["\#(van)","\#(voided)"]"#,
                    arguments: ["merge", van, voided],
                    words: "it was voided"
                ),
                Case(
                    members: #""type":"trips_merged","trips":["\#(golf)","\#(van)"]"#,
                    arguments: ["merge", golf, van],
                    words: "its vehicle is van, that of trip \(golf.prefix(8)) is golf"
                ),
                Case(
                    members: #""type":"trip_split","trip":"\#(golf)","#
                        + #""split_at":"2025-03-03T23:59:00+01:00""#,
                    arguments: ["split", golf, "--at", "2025-03-03T23:59:00+01:00"],
                    words: "2025-03-03 23:59:00 +01:00 is not within the trip, which is from "
                ),
                Case(
                    members: #""type":"details_edited","trip":"\#(golf)","purpose":"Roof","#
                        + #""fields":{"gate":"B"}"#,
                    arguments: ["edit", golf, "--purpose", "Roof", "--field", "gate=B"],
                    words: "here is no custom field gate"
                ),
            ]
        )
    }

    /// Everything that a trip and its vehicle come to, but not which entries it was made of.
    private static func figures(_ process: LedgerProcess) throws -> [String] {
        try [
            ["trips", "--all", "--format", "json"], ["totals", "--by", "vehicle"],
            ["totals", "--by", "month", "--format", "json"], ["report", "log", "--format", "json"],
        ]
        .flatMap { try process.run($0).lines }
        .map { $0.replacing(/"size":\d+,"root":"[0-9a-f]+",/, with: "") }
    }

    @Test(arguments: [true, false])
    func `as lines all four are stored and named, and no figure changes`(
        isLater: Bool
    ) throws {
        let (process, cases) = try Self.begin()
        let before = try Self.figures(process)
        // After everything else that was decided, or before it, on the day after the trips.
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let time = isLater ? String(now) : #""2025-03-04T08:00:00Z""#
        let lines = cases.map { #"{\#($0.members),"source":"elsewhere","occurred_at":\#(time)}"# }
        let input = Data(lines.joined(separator: "\n").utf8)
        let outcome = try process.run(["append"], input: input)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try Self.figures(process) == before)
        let orphans = try process.run("changes", "--orphans", "--format", "json").lines
        let doctor = try process.run("doctor").text
        #expect(orphans.count == cases.count)
        #expect(outcome.errors.contains("4 decisions have no effect: "))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        for one in cases {
            #expect(outcome.lines.last?.contains(one.words) == true, "\(one.words)")
            #expect(outcome.errors.contains(one.words), "\(one.words)\n\(outcome.errors)")
            #expect(orphans.contains { $0.contains(one.words) }, "\(one.words)\n\(orphans)")
            #expect(doctor.contains(one.words), "\(one.words)\n\(doctor)")
        }
        #expect(try process.run("project", "--check").exitCode == 0)
        // Once nothing is in their way any more, they take effect.
        let healed = try process.shell(
            """
            ledger field define gate --type text && ledger edit $(sed -n 2p trips) --vehicle golf
            """
        )
        #expect(healed.exitCode == 0, "\(healed.errors)")
        #expect(try process.run("changes", "--orphans", "--format", "json").lines.count == 2)
        let first = try process.shell("ledger trip $(sed -n 1p trips) --format json").text
        #expect(first.contains(#""purpose":"Roof""#))
        #expect(first.contains(#""parts":["#))
    }

    @Test func `command and server refuse all four in the same words, and store nothing`() throws {
        let (process, cases) = try Self.begin()
        let server = try ServedLedger(onSocketOf: process)
        let size = try process.run("log", "--format", "json").lines.count
        for one in cases {
            let said = try process.run(one.arguments)
            #expect([1, 65].contains(said.exitCode), "\(one.arguments)")
            #expect(said.errors.contains(one.words), "\(one.words)\n\(said.errors)")
            let answer = try server.connect()
                .post(Data("{\(one.members)}".utf8), as: "application/json", to: "/v1/decisions")
            #expect(answer.status == 422)
            #expect(answer.body.contains(one.words), "\(one.words)\n\(answer.body)")
        }
        #expect(try process.run("log", "--format", "json").lines.count == size)
    }

    @Test func `what the options of a trip refuse is refused so when it is asked for`() throws {
        let (process, cases) = try Self.begin()
        let server = try ServedLedger(onSocketOf: process)
        let ids = try process.shell("cat trips").lines
        let golf = try server.get("/v1/trips/\(ids[0])/options")
        #expect(golf.status == 200)
        #expect(golf.head.contains("ETag: "))
        #expect(golf.body.contains(#""waits_for":"class""#))
        #expect(golf.body.contains(#""next":{"trip":{"id":"\#(ids[1])""#))
        #expect(golf.body.contains(cases[1].words))
        let voided = try server.get("/v1/trips/\(ids[2])/options")
        // It waits for nothing.
        #expect(voided.body.contains(#""status":"voided","restores":["voided"]"#))
        #expect(voided.body.contains("it was voided"))
        guard JSONSchemaValidator.isPresent else { return }
        #expect(
            try JSONSchemaValidator.complaints(
                about: [golf.body, voided.body],
                schema: "trip-options"
            ) == ["", ""]
        )
    }
}
