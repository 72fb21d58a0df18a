import TestSupport
import Testing

@testable import Maps
@testable import Papers

/// Lines of latitude and longitude are named where their names are seen whole.
@Suite struct GraticuleTests {
    @Test(arguments: Seeds.fresh(200))
    func `no name of a line is cut by the edge of the map`(seed: UInt64) {
        let frame = MapFrame(
            fitting: MapFrameTests.drive(seed: seed),
            in: Box(x: 24, y: 96, width: 912, height: 580),
            margin: (84, 62)
        )
        for label in Graticule(frame).labels {
            let space = label.estimatedBox
            #expect(space.origin.x >= frame.box.origin.x, "seed \(seed): \(label.text)")
            #expect(space.right <= frame.box.right, "seed \(seed): \(label.text)")
        }
    }
}
