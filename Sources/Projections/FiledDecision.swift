import TripEvents
import TripTracking

/// A decision as it is filed under a trip that it names.
struct FiledDecision: Hashable, Sendable {
    /// The decision.
    let decision: Decision

    /// The trip that it was attached to by time, while the trip that it names has gone.
    var host: TripID?

    /// Files a decision.
    init(_ decision: Decision, host: TripID? = nil) {
        self.decision = decision
        self.host = host
    }

    /// Reads a filed decision.
    init(from reader: inout StateReader) throws(StateError) {
        decision = try Decision(from: &reader)
        host = try reader.readOptional { reader throws(StateError) in try reader.readTripID() }
    }

    /// Writes the filed decision.
    func write(to writer: inout StateWriter) {
        decision.write(to: &writer)
        writer.write(host) { $0.write($1) }
    }
}
