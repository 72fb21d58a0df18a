import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// Many senders at once: each gets the answers to its own events, and nothing that was answered is
/// lost when the server is killed.
@Suite struct ServeCrashTests {
    private static let kills = Seeds.isThorough ? 40 : 8
    private static let senderCount = 6

    @Test(arguments: Seeds.fresh(1))
    func `nothing answered is lost when the server is killed at random`(seed: UInt64) throws {
        let process = try LedgerProcess()
        try process.begin()
        let senders = (0..<Self.senderCount).map { Sender(number: $0, seed: seed) }
        var random = SplitMix64(seed: seed)
        for round in 0...Self.kills {
            let server = try ServedLedger(onSocketOf: process)
            let socket = try #require(server.socket)
            let group = DispatchGroup()
            for sender in senders {
                let thread = Thread {
                    sender.send(to: socket, most: round == Self.kills ? 20 : .max)
                    group.leave()
                }
                group.enter()
                thread.start()
            }
            if round < Self.kills {
                // Chance, not waiting for something: the moment of the kill is what is tested.
                usleep(UInt32.random(in: 1_000...400_000, using: &random))
                kill(server.processIdentifier, SIGKILL)
            }
            group.wait()
            _ = server.end(with: round < Self.kills ? nil : SIGTERM)
        }
        let entries = try process.run("log", "--format", "json").lines
        var count = 0
        for sender in senders {
            #expect(sender.problems == [], "seed \(seed)")
            #expect(!sender.acknowledged.isEmpty, "seed \(seed)")
            count += sender.acknowledged.count
            let lost = sender.acknowledged
                .filter { line, position in
                    !entries.indices.contains(position)
                        || !entries[position].hasSuffix(String(line.dropFirst()))
                }
            #expect(lost.isEmpty, "seed \(seed): \(lost.count) lost")
        }
        // The founding event, the sources, and each line once.
        #expect(entries.count == 1 + Self.senderCount + count, "seed \(seed)")
        #expect(try process.run("verify").exitCode == 0)
        print("\(Self.kills) kills, \(count) events of \(Self.senderCount) senders")
    }

    /// A program that sends its events in order, a few at a time, until they are answered.
    // @unchecked because one thread at a time uses it, and the test only between them.
    private final class Sender: @unchecked Sendable {
        private(set) var acknowledged: [String: Int] = [:]
        private(set) var problems: [String] = []
        private var drives: SimulatedDrives.Iterator
        private var random: SplitMix64
        private var waiting: [String] = []

        init(number: Int, seed: UInt64) {
            random = SplitMix64(seed: seed &+ UInt64(number))
            drives =
                DriveSimulator.drives(
                    seed: seed &+ UInt64(number),
                    count: .max,
                    fixesPerDrive: 10...100,
                    source: "phone-\(number)"
                )
                .makeIterator()
        }

        /// Sends until the server is gone, or so many deliveries were answered.
        func send(to socket: String, most: Int) {
            for _ in 0..<most {
                if waiting.isEmpty {
                    for _ in 0..<Int.random(in: 1...12, using: &random) {
                        if let event = drives.next() { waiting.append(event.json) }
                    }
                }
                let body = DriveLines.data(waiting[...])
                guard let connection = try? ServedLedger.Connection(socket: socket),
                    let answer = try? connection.post(body)
                else { return }
                // A server that is killed between the head and the end of an answer says nothing.
                guard answer.status == 200, answer.lines.count == waiting.count + 1 else {
                    if answer.status != 200 { problems.append("\(answer)") }
                    return
                }
                for (line, text) in zip(waiting, answer.lines) {
                    let receipt = try? JSONDecoder()
                        .decode(LedgerProcess.LineAnswer.self, from: Data(text.utf8))
                    guard let position = receipt?.storedAt else {
                        problems.append(text)
                        continue
                    }
                    acknowledged[line] = Int(position)
                }
                waiting = []
            }
        }
    }
}
