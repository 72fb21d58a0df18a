extension RecorderScript {
    /// Reports positions a minute apart, the first a minute from now.
    mutating func drive(through points: some Sequence<GridPoint>) {
        for point in points {
            wait(seconds: 60)
            locate(point)
        }
    }

    /// Reports `count` positions a minute apart that wander within `millimeters` of `center`.
    mutating func linger(
        at center: GridPoint,
        count: Int,
        withinMillimeters millimeters: Int,
        random: inout SplitMix64
    ) {
        for _ in 0..<count {
            wait(seconds: 60)
            locate(
                center.moved(
                    northMillimeters: random.integer(in: -millimeters...millimeters),
                    eastMillimeters: random.integer(in: -millimeters...millimeters)
                )
            )
        }
    }

    /// Presses STOP a little after the last position.
    mutating func arrive() {
        wait(seconds: 5)
        pressStop()
    }
}
