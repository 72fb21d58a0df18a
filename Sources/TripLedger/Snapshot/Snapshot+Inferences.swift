public import Projections
public import TripEvents

// What others inferred stands beside trips, and changes none.
extension Snapshot {
    /// Returns what others inferred, last what began first.
    ///
    /// - Parameters:
    ///   - filter: Which of it.
    ///   - booked: The trip whose time it must overlap and whose way it may be about; `nil` for
    ///     all.
    /// - Returns: What was inferred.
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
            let found = try TripBook().inferences(overlapping: span, in: BookRows(over: store))
                .reversed()
                .filter { inference in
                    filter.includes(inference)
                        && (booked.map { inference.mayBeAbout($0) } ?? true)
                }
            return filter.limit.map { Array(found.prefix($0)) } ?? found
        }
    }
}

/// Which of what others inferred is listed.
public struct InferenceFilter: Hashable, Sendable {
    /// What must have been inferred; `nil` for all.
    public var kind: InferenceKind?

    /// The name of the only source; `nil` for all.
    public var source: String?

    /// What ended before this instant is left out.
    public var from: Timestamp?

    /// What began at this instant or after it is left out.
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
            && (source.map { $0.utf8.elementsEqual(inference.source.utf8) } ?? true)
    }
}
