import LedgerKeeping
import Testing
import TripLedger

@Suite struct VerifyOutcomeTests {
    @Test func `a finding outweighs doubts, and doubts outweigh what holds`() {
        var outcome = VerifyOutcome()
        #expect(outcome.verdict == .verified)
        outcome.confirm(.log, "all is well")
        #expect(outcome.verdict == .verified)
        outcome.doubt("no key was given")
        #expect(outcome.verdict == .couldNotTell)
        outcome.report(.log, at: 7, "the entry was changed")
        #expect(outcome.verdict == .damaged)
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
