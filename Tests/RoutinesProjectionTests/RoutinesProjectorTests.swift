import DriveSimulation
import LedgerTestSupport
import RoutinesProjection
import Testing

@Suite struct RoutinesProjectorTests {
    @Test(arguments: Seeds.fresh(40))
    func `any way to the same trips and decisions gives the same rows`(seed: UInt64) throws {
        try BookLaws.check(RoutinesProjector(), seed: seed)
    }

    @Test(arguments: Seeds.fresh(4))
    func `the laws hold for drives with every fault`(seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        try ProjectorLaws.check(RoutinesProjector(), events: events, seed: seed)
    }
}
