import LedgerKeeping
import Testing
import TripLedger

@Suite struct VerifyOutcomeTests {
    @Test func `a finding outweighs doubts, and doubts outweigh what holds`() {
        var outcome = VerifyOutcome()
        #expect(outcome.verdict == .sound)
        outcome.confirm(.log, "all is well")
        #expect(outcome.verdict == .sound)
        outcome.doubt("no key was given")
        #expect(outcome.verdict == .couldNotTell)
        outcome.report(.log, at: 7, "the entry was changed")
        #expect(outcome.verdict == .damaged)
    }

    @Test func `what is handed over is verified only if something vouches for it`() {
        var outcome = VerifyOutcome(.origin)
        outcome.confirm(.export, "all is well")
        outcome.claim("it is of a year")
        #expect(outcome.verdict == .consistent && outcome.vouchedBy == nil)
        outcome.vouch(.witness)
        #expect(outcome.verdict == .verified && outcome.vouchedBy == .witness)
        var part = VerifyOutcome(.origin)
        part.vouch(.head)
        part.vouch(.key)
        #expect(part.vouchedBy == .head)
        outcome.vouch(.key)
        #expect(outcome.vouchedBy == .key)
        outcome.add(part)
        #expect(outcome.vouchedBy == .head)
        outcome.doubt("a file is strange")
        #expect(outcome.verdict == .couldNotTell)
        outcome.report(.log, "it was changed")
        #expect(outcome.verdict == .damaged)
    }

    @Test func `a rate of the owner's own is kept, and leaves open what an official one decides`() {
        var rate = LedgersOwnRate(
            id: "mine",
            table: "mine",
            jurisdiction: "us",
            authority: nil,
            pays: "7.00 USD/mi",
            official: nil
        )
        var part = VerifyOutcome(.origin)
        part.vouch(.key)
        part.note(rate)
        var outcome = VerifyOutcome(.origin)
        outcome.add(part)
        #expect(outcome.verdict == .verified && outcome.ownRates == [rate])
        rate.official = LedgersOwnRate.Official(id: "us.2025", pays: "0.70 USD/mi")
        outcome.note(rate)
        #expect(outcome.verdict == .couldNotTell && outcome.ownRates.count == 2)
        #expect(rate.sentence.hasSuffix("this program has 0.70 USD/mi in us.2025"))
    }

    @Test func `a finding says its position once`() {
        let damage = VerifyFinding(.export, at: 4, "its words are others")
        #expect(damage.sentence == "position 4: its words are others")
        let gap = VerifyFinding(.export, at: 4, "position 4 is missing")
        #expect(gap.sentence == "position 4 is missing")
        #expect(VerifyFinding(.bundle, "README.txt is missing").sentence == "README.txt is missing")
    }

    @Test func `findings are all counted, a thousand are kept, and the lowest position stands`() {
        var outcome = VerifyOutcome()
        for position in (1...1_500).reversed() {
            outcome.report(.log, at: UInt64(position), "it was changed")
        }
        #expect(outcome.findings.count == 1_000)
        #expect(outcome.findingCount == 1_500)
        #expect(outcome.firstBadPosition == 1)
    }

    @Test func `what parts of a check came to adds up`() {
        var part = VerifyOutcome()
        for position in UInt64(100)..<1_300 { part.report(.index, at: position, "it is missing") }
        part.doubt("there are no views")
        var whole = VerifyOutcome()
        whole.confirm(.head, "it is signed")
        whole.report(.log, at: 2_000, "it was changed")
        whole.add(part)
        whole.add(VerifyOutcome())
        #expect(whole.findingCount == 1_201)
        #expect(whole.findings.count == 1_000)
        #expect(whole.firstBadPosition == 100)
        #expect(whole.doubts == ["there are no views"])
        #expect(whole.facts == [VerifyFact(.head, "it is signed")])
    }
}
