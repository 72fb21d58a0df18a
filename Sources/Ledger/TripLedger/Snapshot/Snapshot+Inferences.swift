public import Projections
public import TripEvents

// Inferences of other programs are shown beside trips, and change none.
extension Snapshot {
    /// Returns inferences of other programs, the latest start first.
    ///
    /// - Parameters:
    ///   - filter: The inferences to return.
    ///   - booked: The trip whose time it must overlap and whose way it may be about; `nil` for
    ///     all.
    /// - Returns: The inferences.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func inferences(
        _ filter: InferenceFilter = InferenceFilter(),
        beside booked: BookedTrip? = nil
    ) throws(LedgerError) -> [ReportedInference] {
        try asking {
            var span = filter.span
            if let booked {
                let end = booked.trip.endedAt?.timestamp ?? Timestamp(milliseconds: .max)
                span = span.clamped(to: booked.trip.startedAt.timestamp..<end)
            }
            guard !span.isEmpty else { return [] }
            let found = try TripBook(over: store).inferences(overlapping: span)
                .reversed()
                .filter { inference in
                    filter.includes(inference)
                        && store.sight.sees(inference.source, of: inference.group)
                        && (booked.map { inference.mayBeAbout($0) } ?? true)
                }
            return filter.limit.map { Array(found.prefix($0)) } ?? found
        }
    }
}

extension Snapshot {
    /// Whether there is no trip, while another app made ways of positions.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func hasOnlyInferredWays() throws(LedgerError) -> Bool {
        guard try trips(TripFilter(limit: 1)).isEmpty else { return false }
        return try !inferences(InferenceFilter(kind: .activity, limit: 1)).isEmpty
    }
}

/// A choice of inferences.
public struct InferenceFilter: Hashable, Sendable {
    /// The only kind of inference; `nil` for all.
    public var kind: InferenceKind?

    /// The name of the only source; `nil` for all.
    public var source: String?

    /// Inferences that ended before this instant are left out.
    public var from: Timestamp?

    /// Inferences that began at this instant or after it are left out.
    public var to: Timestamp?

    /// The most that is listed, newest first; `nil` for all.
    public var limit: Int?

    /// Creates a filter; without arguments it lets everything through.
    public init(
        kind: InferenceKind? = nil,
        source: String? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        limit: Int? = nil
    ) {
        self.kind = kind
        self.source = source
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// The span of time that it lets through.
    var span: Range<Timestamp> {
        let from = from ?? Timestamp(milliseconds: .min)
        return from..<max(from, to ?? Timestamp(milliseconds: .max))
    }

    /// Returns whether it lets something through that lies in its span.
    func includes(_ inference: ReportedInference) -> Bool {
        (kind.map { $0 == inference.inference.inference } ?? true)
            && (source.map { $0.hasSameBytes(as: inference.source) } ?? true)
    }
}
