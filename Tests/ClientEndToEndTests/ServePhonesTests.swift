import DriveSimulation
import Foundation
import TestSupport
import Testing

/// Models of apps that deliver, while requests and answers are lost and the server is killed: what
/// an app takes for delivered and forgets is stored, once.
@Suite struct ServePhonesTests {
    private static let kills = Seeds.isThorough ? 30 : 5
    private static let fixesOfRound = Seeds.isThorough ? 480 : 40

    @Test(arguments: Seeds.fresh(1))
    func `what an app takes for delivered is stored, once`(seed: UInt64) throws {
        let process = try LedgerProcess()
        try process.begin()
        let phones = try PhoneModel.App.allCases.enumerated()
            .map { number, app in
                let name = "\(app)"
                let made = try process.run("token", "new", name, "--format", "json")
                let token = try #require(
                    made.lines.joined().firstMatch(of: #/"token":"([^"]+)"/#)?.1
                )
                return PhoneModel(app, token: String(token), seed: seed &+ UInt64(number))
            }
        var random = SplitMix64(seed: seed)
        for round in 0...Self.kills {
            let isLast = round == Self.kills
            let server = try ServedLedger(onSocketOf: process)
            let socket = try #require(server.socket)
            let group = DispatchGroup()
            for phone in phones {
                phone.record(Self.fixesOfRound)
                group.enter()
                Thread {
                    phone.deliver(to: socket, untilDone: isLast)
                    group.leave()
                }
                .start()
            }
            if !isLast {
                // Chance, not waiting for something: the moment of the kill is what is tested.
                usleep(UInt32.random(in: 1_000...300_000, using: &random))
                kill(server.processIdentifier, SIGKILL)
            }
            group.wait()
            let end = server.end(with: isLast ? SIGTERM : nil)
            #expect(!isLast || end.exitCode == 0 && end.errors == "", "seed \(seed): \(end.errors)")
        }
        let entries = try process.run("log", "--format", "json").lines
            .compactMap { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
        for phone in phones {
            let stored = entries.filter { $0.source == "\(phone.app)" && $0.lat != nil }
            let times = try stored.map { try #require($0.seconds) }
            let recorded = (Self.kills + 1) * Self.fixesOfRound
            #expect(phone.recorded.count == recorded)
            #expect(Set(times).count == times.count, "seed \(seed), \(phone.app)")
            #expect(Set(times).isSubset(of: phone.recorded), "seed \(seed), \(phone.app)")
            #expect(
                Set(times).isSuperset(of: phone.delivered),
                "seed \(seed), \(phone.app) has lost some"
            )
            // Some throw away what no server could have kept for them.
            #expect(phone.delivered.count + phone.thrownAway == recorded, "\(phone.app)")
            #expect(phone.app.throwsAway || phone.thrownAway == 0, "seed \(seed), \(phone.app)")
        }
        #expect(try process.run("verify").exitCode == 0)
        #expect(try process.run("refused", "--format", "json").lines == [])
        let deliveries = phones.map(\.delivered.count).reduce(0, +)
        print("\(deliveries) fixes delivered by \(phones.count) apps")
        print("\(Self.kills) kills, \(phones.map(\.requestCount)) requests")
    }

    private struct Entry: Decodable {
        var source: String?
        var occurredAt: String?
        var lat: Double?

        private enum CodingKeys: String, CodingKey {
            case source, lat
            case occurredAt = "occurred_at"
        }

        var seconds: Int? {
            occurredAt.flatMap {
                try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0)
            }
            .map { Int($0.timeIntervalSince1970) }
        }
    }
}
