import DriveSimulation
import LedgerTestSupport
import Testing
import TotalsProjection

@Suite struct TotalsProjectorTests {
    @Test(arguments: Seeds.fresh(40))
    func `any way to the same trips and decisions gives the same rows`(seed: UInt64) throws {
        try BookLaws.check(TotalsProjector(), seed: seed)
    }

    @Test(arguments: Seeds.fresh(4))
    func `the laws hold for drives with every fault`(seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        try ProjectorLaws.check(TotalsProjector(), events: events, seed: seed)
    }
}
