import DriveSimulation
import Foundation
import TestSupport

/// An app with a queue, as far as its makers' code says what it keeps and what it forgets.
// @unchecked because one thread at a time uses it, and the test only between them.
final class PhoneModel: @unchecked Sendable {
    /// The app of the phone.
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

        /// Traccar Client 8 for iOS: it forgets the position, whatever the status of the answer.
        case oldTraccarIOS

        /// GPSLogger: three tries, and a position is given up.
        case gpsLogger

        /// Colota: up to ten requests at a time, each until a status of 2xx.
        case colota

        /// Whether it forgets something that was not taken.
        var throwsAway: Bool { self == .oldTraccarIOS || self == .gpsLogger }

        /// How many fixes it puts into one request.
        var batchCount: Int { self == .overland ? 7 : 1 }

        /// How many requests are under way at a time.
        var requestsAtOnce: Int { self == .colota ? 10 : 1 }
    }

    let app: App

    /// The seconds of all fixes.
    private(set) var recorded: Set<Int> = []

    /// The seconds of the fixes that were acknowledged to it.
    private(set) var delivered: [Int] = []

    /// How many it has forgotten otherwise.
    private(set) var thrownAway = 0

    private(set) var requestCount = 0

    private let token: String
    private var queue: [Int] = []
    private var tries: [Int: Int] = [:]
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
            recorded.insert(second)
        }
    }

    /// Delivers until nothing waits, or the server is gone.
    func deliver(to socket: String, untilDone: Bool) {
        var failures = 0
        while !queue.isEmpty, failures < 20 || untilDone {
            failures = attempt(to: socket) ? 0 : failures + 1
        }
    }

    /// Sends the first messages or batches once; returns whether there was a server.
    private func attempt(to socket: String) -> Bool {
        var waiting: [(batch: [Int], connection: ServedLedger.Connection)] = []
        for start in stride(from: 0, to: queue.count, by: app.batchCount)
            .prefix(app.requestsAtOnce)
        {
            let batch = Array(queue[start...].prefix(app.batchCount))
            requestCount += 1
            guard let connection = try? ServedLedger.Connection(socket: socket) else {
                giveUp(batch)
                return false
            }
            if send(request(for: batch), on: connection) {
                waiting.append((batch, connection))
            } else {
                giveUp(batch)
            }
        }
        for (batch, connection) in waiting {
            guard let text = try? connection.answer(), let answer = try? ServedLedger.Answer(text)
            else {
                giveUp(batch)
                continue
            }
            take(answer, to: batch)
        }
        return true
    }

    /// Sends a request; returns whether its answer is waited for.
    private func send(_ request: Data, on connection: ServedLedger.Connection) -> Bool {
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
        default: return (try? connection.send(request)) != nil
        }
    }

    private func take(_ answer: ServedLedger.Answer, to batch: [Int]) {
        let json = try? JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        let isGood = 200..<300 ~= answer.status
        let isDelivered =
            switch app {
            case .ownTracksAndroid: isGood && json != nil
            case .overland: isGood && (json as? [String: String])?["result"] == "ok"
            default: isGood
            }
        if isDelivered {
            delivered += batch
            forget(batch)
        } else if app == .oldTraccarIOS || app == .ownTracksIOS && 400..<500 ~= answer.status {
            thrownAway += batch.count
            forget(batch)
        } else {
            giveUp(batch)
        }
    }

    /// Notes that a batch has failed; some apps try only so often.
    private func giveUp(_ batch: [Int]) {
        guard app == .gpsLogger else { return }
        tries[batch[0], default: 0] += 1
        guard tries[batch[0]] == 3 else { return }
        thrownAway += batch.count
        forget(batch)
    }

    private func forget(_ batch: [Int]) {
        queue.removeAll(where: Set(batch).contains)
    }

    private func request(for batch: [Int]) -> Data {
        let place = "lat=51.9&lon=4.3&timestamp=\(batch[0])"
        let (target, mediaType, body): (String, String?, String) =
            switch app {
            case .ownTracksAndroid, .ownTracksIOS:
                (
                    "POST /in/\(token)/owntracks", "application/json",
                    #"{"_type":"location","lat":51.9,"lon":4.3,"acc":5,"vel":36,"#
                        + #""tst":\#(batch[0]),"tid":"ev","topic":"owntracks/e/p"}"#
                )
            case .traccarClient:
                (
                    "POST /in/\(token)/osmand", "application/x-www-form-urlencoded",
                    "id=e&\(place)&accuracy=5.0&speed=26.46"
                )
            case .oldTraccarIOS:
                ("POST /in/\(token)/osmand?id=904511&\(place)&speed=26.1&accuracy=4.5", nil, "")
            case .gpsLogger:
                ("GET /in/\(token)/gpslogger?\(place)&acc=4.7&spd=13.62&ser=R58&desc=", nil, "")
            case .colota:
                (
                    "POST /in/\(token)/colota", "application/json",
                    #"{"lat":51.9,"lon":4.3,"acc":5,"vel":13.6,"batt":83,"tst":\#(batch[0])}"#
                )
            case .overland:
                ("POST /in/\(token)/overland", "application/json", Self.overlandBody(batch))
            }
        // Now and then it asks in the name of another host: the owner has set something up wrong.
        let host = Int.random(in: 0..<10, using: &random) == 0 ? "elsewhere" : "localhost"
        var head = ["\(target) HTTP/1.1", "Host: \(host)"]
        if let mediaType { head.append("Content-Type: \(mediaType)") }
        if !target.hasPrefix("GET") { head.append("Content-Length: \(body.utf8.count)") }
        head += ["Connection: close", "", ""]
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
