import DriveSimulation
import ServerStore
import TestSupport
import Testing

/// How often a token may ask, by a clock of the test.
@Suite struct QuotasTests {
    /// A request at a time.
    private struct Request {
        let kind: Quotas.Kind
        let token: String
        let time: Duration
    }

    private let start = ContinuousClock.now

    private static func requests(seed: UInt64) -> [Request] {
        var random = SplitMix64(seed: seed)
        var time = Duration.zero
        return (0..<600)
            .map { _ in
                // Mostly many at a time, and now and then none for a while.
                let pause = random.next() % 40 == 0 ? 90_000 : 700
                time += .milliseconds(Int(random.next() % UInt64(pause)))
                return Request(
                    kind: [.writes, .reads, .tiles, .reads][Int(random.next() % 4)],
                    token: ["phone", "dashboard"][Int(random.next() % 2)],
                    time: time
                )
            }
    }

    /// Returns the requests that are taken, and what the others are told.
    private func ask(
        _ requests: [Request],
        reads: UInt64 = 30,
        writes: UInt64 = 20
    ) -> [Quotas.Refusal?] {
        var quotas = Quotas(reads: reads, writes: writes)
        return requests.map { quotas.refusal(of: $0.kind, by: $0.token, at: start + $0.time) }
    }

    @Test(arguments: Seeds.fresh(8))
    func `no window has more requests than it may, and none is refused before`(seed: UInt64) {
        let requests = Self.requests(seed: seed)
        let answers = ask(requests)
        #expect(answers[0] == nil, "seed \(seed)")
        for (kind, most) in [(Quotas.Kind.reads, UInt64(30)), (.tiles, 300), (.writes, 20)] {
            for token in ["phone", "dashboard"] {
                var began: Duration?
                var count: UInt64 = 0
                for (request, answer) in zip(requests, answers)
                where request.kind == kind && request.token == token {
                    if began.map({ request.time - $0 >= Quotas.window }) ?? true {
                        began = request.time
                        count = 0
                    }
                    let isTaken = count < most
                    if isTaken { count += 1 }
                    #expect((answer == nil) == isTaken, "seed \(seed)")
                    guard let answer, let began else { continue }
                    #expect(answer.most == most, "seed \(seed)")
                    #expect(answer.wait == began + Quotas.window - request.time, "seed \(seed)")
                    #expect(answer.wait > .zero && answer.wait <= Quotas.window, "seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `what was refused changes nothing for what comes later`(seed: UInt64) {
        let requests = Self.requests(seed: seed)
        let answers = ask(requests)
        let taken = zip(requests, answers).filter { $0.1 == nil }.map(\.0)
        #expect(ask(taken).allSatisfy { $0 == nil }, "seed \(seed)")
        // A client that waits as long as it is told is heard.
        for (index, answer) in answers.enumerated() {
            guard let answer else { continue }
            let request = requests[index]
            let later = Request(
                kind: request.kind,
                token: request.token,
                time: request.time + answer.wait
            )
            #expect(ask(requests[...index] + [later]).last == .some(nil), "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `reads, tiles and writes, and tokens, are counted apart`(seed: UInt64) {
        let requests = Self.requests(seed: seed)
        let together = ask(requests)
        for kind in [Quotas.Kind.reads, .tiles, .writes] {
            for token in ["phone", "dashboard"] {
                let isOwn = { (request: Request) in
                    request.kind == kind && request.token == token
                }
                let alone = ask(requests.filter(isOwn))
                let own = zip(requests, together).filter { isOwn($0.0) }.map(\.1)
                #expect(alone == own, "\(kind) of \(token), seed \(seed)")
            }
        }
    }

    @Test func `who reads too often may read ten times as many tiles, and no more`() {
        var quotas = Quotas(reads: 4, writes: 1)
        func count(_ kind: Quotas.Kind) -> Int {
            (0..<100).count { _ in quotas.refusal(of: kind, by: "page", at: start) == nil }
        }
        #expect(count(.reads) == 4)
        #expect(count(.tiles) == 40)
        #expect(count(.reads) == 0 && count(.tiles) == 0)
        #expect(quotas.refusal(of: .tiles, by: "page", at: start)?.most == 40)
        var most = Quotas(reads: .max, writes: nil)
        #expect(most.refusal(of: .tiles, by: "page", at: start) == nil)
    }

    @Test func `without a quota all are taken`() {
        var quotas = Quotas(reads: nil, writes: 1)
        for _ in 0..<10_000 {
            #expect(quotas.refusal(of: .reads, by: "phone", at: start) == nil)
            #expect(quotas.refusal(of: .tiles, by: "phone", at: start) == nil)
        }
        let refusals = (0..<2).map { _ in quotas.refusal(of: .writes, by: "phone", at: start) }
        #expect(refusals.map { $0?.wait } == [nil, Quotas.window])
    }
}
