import DriveSimulation
import Proofs
import TestSupport
import Testing

/// Stamps of authorities for the time: what `openssl ts` says of them, we say too.
@Suite(.enabled(if: StampAuthority.isPresent, StampAuthority.missing)) struct TimeStampTests {
    private let head = Array("example.com/book\n7\nroot\n\nsignature\n".utf8)

    /// Returns whether a stamp is over bytes by an authority that is trusted.
    private func isValid(_ answer: [UInt8], over bytes: [UInt8], by root: [UInt8]) -> Bool {
        (try? TimeStamp(answer).check(over: bytes, trusting: root)) != nil
    }

    @Test func `a stamp is over what was asked for, by the one who was asked, and no other`() throws
    {
        let (authority, other) = (try StampAuthority(), try StampAuthority())
        let request = TimeStampRequest(of: head, number: 0xFEDC_BA98_7654_3210)
        let answer = try authority.answer(to: request.bytes)
        let stamp = try TimeStamp(answer)
        #expect(throws: Never.self) { try stamp.requireAnswer(to: request) }
        #expect(stamp.policy == "1.2.3.4.1")
        #expect(stamp.authority == "Authority")
        let changed = head + [0x0A]
        for (bytes, root, isRight) in [
            (head, authority.root, true), (changed, authority.root, false),
            (head, other.root, false), (head, other.root + authority.root, true), (head, [], false),
        ] {
            #expect(isValid(answer, over: bytes, by: root) == isRight)
            if !root.isEmpty {
                #expect(try authority.verifies(answer, over: bytes, by: root) == isRight)
            }
        }
        let again = TimeStampRequest(of: head, number: 1)
        let elsewhere = TimeStampRequest(of: changed, number: 0xFEDC_BA98_7654_3210)
        for question in [again, elsewhere] {
            #expect(throws: ProofDamage.self) { try stamp.requireAnswer(to: question) }
        }
    }

    @Test(arguments: [(-1, "stamps", "expired"), (30, "letters", "purpose")])
    func `an authority that may not stamp is not believed`(
        days: Int,
        purpose: String,
        reason: String
    ) throws {
        let authority = try StampAuthority(validForDays: days, purpose: purpose)
        let request = TimeStampRequest(of: head, number: 5)
        // OpenSSL may refuse to stamp with such a certificate at all.
        guard let answer = try? authority.answer(to: request.bytes) else { return }
        #expect(try !authority.verifies(answer, over: head, by: authority.root))
        let problem = #expect(throws: ProofDamage.self) {
            try TimeStamp(answer).check(over: head, trusting: authority.root)
        }
        #expect(problem?.description.contains(reason) == true)
    }

    @Test(arguments: Seeds.fresh(3))
    func `of an answer no bit can be changed that is signed, and nothing can crash`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let authority = try StampAuthority()
        let request = TimeStampRequest(of: head, number: random.next())
        let answer = try authority.answer(to: request.bytes)
        let time = try TimeStamp(answer).seconds
        for _ in 0..<300 {
            var changed = answer
            let index = Int(random.next() % UInt64(changed.count))
            changed[index] ^= UInt8(1 << (random.next() % 8))
            guard let stamp = try? TimeStamp(changed),
                (try? stamp.check(over: head, trusting: authority.root)) != nil
            else { continue }
            // Bits outside what is signed, such as a status, may change, and say nothing then.
            #expect(stamp.seconds == time, "seed \(seed)")
            #expect(stamp.digest == request.digest, "seed \(seed)")
            #expect(stamp.nonce == request.nonce, "seed \(seed)")
        }
        for count in [0, 1, answer.count / 2, answer.count - 1] {
            #expect(throws: ProofDamage.self) { try TimeStamp(Array(answer.prefix(count))) }
        }
        #expect(throws: ProofDamage.self) { try TimeStamp(answer + [0]) }
    }
}
