/// The error of a receiver, and the accuracy that it reports.
///
/// Both wander, as those of real ones do: phones that lay still in the labelled streams were a
/// median of 1 to 15 m off their middle, 19 to 44 m in the worst tenth, and said 10 to 65 m.
struct ReceiverError {
    private var north: Double
    private var east: Double
    private var rank: Int

    /// The accuracy that scales the error, in metres; it follows the one that is reported.
    private var scale: Double?

    init(random: inout SplitMix64) {
        rank = random.integer(in: 0...99)
        north = random.deviation()
        east = random.deviation()
    }

    /// Goes on by some time.
    ///
    /// - Parameters:
    ///   - seconds: The time since the last reading.
    ///   - random: The source of chance.
    mutating func wander(seconds: Double, random: inout SplitMix64) {
        let share = min(1, seconds / 250)
        let kept = 1 - share
        let fresh = (1 - kept * kept).squareRoot()
        north = kept * north + fresh * random.deviation()
        east = kept * east + fresh * random.deviation()
        let step = max(1, min(40, Int(seconds)))
        rank = min(99, max(0, rank + random.integer(in: -step...step)))
    }

    /// Returns the accuracy that the device names, in decimetres, from equally likely ones in
    /// ascending order.
    func accuracy(of table: [Int]) -> Int {
        table[rank * table.count / 100]
    }

    /// Returns the place where the device believes to be, off by a share of the accuracy each way.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - accuracyDecimeters: The accuracy that it reports.
    ///   - share: The deviation each way, as a share of that accuracy.
    ///   - follows: How much of a new accuracy the error takes on at once: accuracies of satellites
    ///     change slowly, those of networks at once.
    /// - Returns: That place.
    mutating func place(
        _ place: Place,
        accuracyDecimeters: Int,
        share: Double,
        follows: Double
    ) -> Place {
        let accuracy = Double(accuracyDecimeters) / 10
        let before = scale ?? accuracy
        let scale = before + follows * (accuracy - before)
        if follows < 1 { self.scale = scale }
        return Place(
            north: place.north + scale * share * north,
            east: place.east + scale * share * east
        )
    }
}
