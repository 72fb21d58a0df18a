import TripEvents

/// A split or an exclusion of a trip that has an effect, or had one until it was undone.
struct Cut {
    let trip: TripID
    let isExclusion: Bool
    let order: EventOrder

    /// The decision that undid it; `nil` if it stands.
    let undoneBy: EventOrder?
}

/// Tells after which decisions the same splits and exclusions of trips stood as now.
///
/// Of each trip it knows how many of them stood otherwise after each decision that made or undid
/// one: a trip with ten thousand of them is asked about after each.
struct CutStandings {
    /// How many cuts of a trip stood otherwise than now.
    private struct Others {
        /// Before the first decision.
        private var first = 0

        /// From a decision on, in event order.
        private var later: [(from: EventOrder, count: Int)] = []

        init(_ cuts: [Cut]) {
            var changes: [(order: EventOrder, by: Int)] = []
            for cut in cuts {
                if let undoneBy = cut.undoneBy {
                    changes += [(cut.order, 1), (undoneBy, -1)]
                } else {
                    first += 1
                    changes.append((cut.order, -1))
                }
            }
            changes.sort { $0.order < $1.order }
            var count = first
            for change in changes {
                count += change.by
                if later.last?.from == change.order { later.removeLast() }
                later.append((change.order, count))
            }
        }

        /// Returns their number after a decision, or with `nil` before the first one.
        func count(after last: EventOrder?) -> Int {
            guard let last else { return first }
            var range = later.indices
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range =
                    last < later[middle].from
                    ? range.lowerBound..<middle : middle + 1..<range.upperBound
            }
            return range.lowerBound == 0 ? first : later[range.lowerBound - 1].count
        }
    }

    /// By trip, of all its cuts, and of its exclusions alone.
    private let all: [TripID: Others]
    private let exclusions: [TripID: Others]

    /// Creates the standings of the cuts of a cluster's trips.
    init(_ cuts: [Cut]) {
        all = Dictionary(grouping: cuts, by: \.trip).mapValues(Others.init)
        exclusions = Dictionary(grouping: cuts.filter(\.isExclusion), by: \.trip)
            .mapValues(Others.init)
    }

    /// Returns whether the same splits and exclusions of a trip stood after a decision, or with
    /// `nil` before the first one, as now.
    func areAsNow(of trip: TripID, after last: EventOrder?) -> Bool {
        (all[trip]?.count(after: last) ?? 0) == 0
    }

    /// The same of the exclusions alone.
    func areExclusionsAsNow(of trip: TripID, after last: EventOrder?) -> Bool {
        (exclusions[trip]?.count(after: last) ?? 0) == 0
    }
}

extension CutStandings {
    /// Takes the splits and exclusions among decisions in event order, without those that have no
    /// effect.
    ///
    /// - Parameters:
    ///   - filed: The decisions about the trips of the cluster.
    ///   - cluster: The cluster.
    ///   - obstacles: Why decisions have no effect, by their identity digests.
    init(
        among filed: [BookedCluster.Filed],
        in cluster: BookedCluster,
        _ obstacles: [IdentityDigest: DecisionObstacle]
    ) {
        var cuts: [Cut] = []
        // From the last decision back: what restores a trip next undoes what was cut before.
        var restoredNext: [TripID: EventOrder] = [:]
        for one in filed.reversed() {
            let order = one.decision.order
            let isExclusion: Bool
            switch one.decision.event.body {
            case .tripRestored where !one.isNamed: continue
            case .tripRestored:
                restoredNext[one.trip] = order
                continue
            case .stretchExcluded: isExclusion = true
            case .tripSplit where one.trip != one.decision.madeTrip: isExclusion = false
            default: continue
            }
            let undoneBy = restoredNext[one.trip]
            let obstacle =
                undoneBy == nil
                ? obstacles[order.identity] : cluster.obstacle(toUndone: one)
            guard obstacle == nil else { continue }
            cuts.append(
                Cut(trip: one.trip, isExclusion: isExclusion, order: order, undoneBy: undoneBy)
            )
        }
        self.init(cuts)
    }
}
