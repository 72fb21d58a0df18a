import DriveSimulation
import Foundation
import LedgerTestSupport
import Testing

/// Models of apps that deliver, while requests and answers are lost and the server is killed: what
/// an app takes for delivered and forgets is stored, once.
@Suite struct ServePhonesTests {
    private static let kills = Seeds.isThorough ? 30 : 5
    private static let fixesOfRound = 40

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
            #expect(phone.losses == [], "seed \(seed), \(phone.app)")
            #expect(phone.forgotten.count == (Self.kills + 1) * Self.fixesOfRound)
            #expect(times.sorted() == phone.forgotten.sorted(), "seed \(seed), \(phone.app)")
        }
        #expect(try process.run("verify").exitCode == 0)
        #expect(try process.run("refused", "--format", "json").lines == [])
        print("\(Self.kills) kills, \(phones.map(\.requestCount)) requests")
    }

    private struct Entry: Decodable {
        var source: String?
        var occurred_at: String?
        var lat: Double?

        var seconds: Int? {
            occurred_at.flatMap {
                try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0)
            }
            .map { Int($0.timeIntervalSince1970) }
        }
    }
}

/// An app with a queue, as far as its makers' code says what it keeps and what it forgets.
// @unchecked because one thread at a time uses it, and the test only between them.
final class PhoneModel: @unchecked Sendable {
    /// Which app.
    enum App: CaseIterable {
        /// OwnTracks for Android: the first message of the queue goes back there until an answer of
        /// 2xx can be read as JSON.
        case ownTracksAndroid

        /// OwnTracks for iOS: a status of 4xx deletes the message.
        case ownTracksIOS

        /// Overland: a batch stays until an answer of 2xx says that it is ok.
        case overland

        /// Traccar Client 10: one form after the other, until a status of 2xx.
        case traccarClient
    }

    let app: App

    /// The seconds of the fixes that it takes for delivered.
    private(set) var forgotten: [Int] = []

    /// What it has deleted undelivered.
    private(set) var losses: [String] = []

    private(set) var requestCount = 0

    private let token: String
    private var queue: [Int] = []
    private var second = 1_795_159_860
    private var random: SplitMix64

    init(_ app: App, token: String, seed: UInt64) {
        self.app = app
        self.token = token
        random = SplitMix64(seed: seed)
    }

    /// Records fixes, a second or more apart.
    func record(_ count: Int) {
        for _ in 0..<count {
            second += Int.random(in: 1...3, using: &random)
            queue.append(second)
        }
    }

    /// Delivers until nothing waits, or the server is gone.
    func deliver(to socket: String, untilDone: Bool) {
        var failures = 0
        while !queue.isEmpty, failures < 20 || untilDone {
            let isDelivered = attempt(to: socket)
            failures = isDelivered == nil ? failures + 1 : 0
        }
    }

    /// Sends the first message or batch once; returns `nil` if there was no server.
    private func attempt(to socket: String) -> Bool? {
        let batch = app == .overland ? Array(queue.prefix(7)) : [queue[0]]
        requestCount += 1
        guard let connection = try? ServedLedger.Connection(socket: socket) else { return nil }
        let request = request(for: batch)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            // Only a part of it arrives.
            try? connection.send(request.prefix(Int.random(in: 1..<request.count, using: &random)))
            return false
        case 1:
            // All of it arrives, and the answer is lost.
            try? connection.send(request)
            _ = try? connection.answer()
            return false
        default: break
        }
        guard (try? connection.send(request)) != nil,
            let text = try? connection.answer(), let answer = try? ServedLedger.Answer(text)
        else { return false }
        take(answer, to: batch)
        return true
    }

    private func take(_ answer: ServedLedger.Answer, to batch: [Int]) {
        let json = try? JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        let isGood = 200..<300 ~= answer.status
        let isDelivered =
            switch app {
            case .ownTracksAndroid: isGood && json != nil
            case .ownTracksIOS, .traccarClient: isGood
            case .overland: isGood && (json as? [String: String])?["result"] == "ok"
            }
        if isDelivered {
            forgotten += batch
            queue.removeFirst(batch.count)
        } else if app == .ownTracksIOS, 400..<500 ~= answer.status {
            losses.append("\(answer)")
            queue.removeFirst()
        }
    }

    private func request(for batch: [Int]) -> Data {
        let (door, mediaType, body) =
            switch app {
            case .ownTracksAndroid, .ownTracksIOS:
                (
                    "owntracks", "application/json",
                    #"{"_type":"location","lat":51.9,"lon":4.3,"acc":5,"vel":36,"#
                        + #""tst":\#(batch[0]),"tid":"ev","topic":"owntracks/e/p"}"#
                )
            case .traccarClient:
                (
                    "osmand", "application/x-www-form-urlencoded",
                    "id=e&lat=51.9&lon=4.3&timestamp=\(batch[0])&accuracy=5.0&speed=26.46"
                )
            case .overland:
                ("overland", "application/json", Self.overlandBody(batch))
            }
        // Now and then it asks in the name of another host: the owner has set something up wrong.
        let host = Int.random(in: 0..<10, using: &random) == 0 ? "elsewhere" : "localhost"
        let head = [
            "POST /in/\(token)/\(door) HTTP/1.1", "Host: \(host)", "Content-Type: \(mediaType)",
            "Content-Length: \(body.utf8.count)", "Connection: close", "", "",
        ]
        return Data((head.joined(separator: "\r\n") + body).utf8)
    }

    private static func overlandBody(_ batch: [Int]) -> String {
        let features = batch.map { second in
            let time = Date(timeIntervalSince1970: Double(second)).ISO8601Format()
            return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.3,51.9]},"#
                + #""properties":{"timestamp":"\#(time)","horizontal_accuracy":5,"speed":10,"#
                + #""motion":["driving"]}}"#
        }
        return #"{"locations":[\#(features.joined(separator: ","))]}"#
    }
}
