import JSONText
import Synchronization
import TripEvents
import TripLedger

/// The events that the feed client has made of samples of HealthKit.
///
/// An app that was installed anew, or a second phone, sends a sample again under another id. It is
/// still one event, so the ids are remembered by the sample. The memory is read from the log on
/// first use, and then only extended.
final class HealthSamples: Sendable {
    /// A sample, and the source that its events are reported from.
    fileprivate struct Name: Hashable {
        var source: NameKey
        var sample: NameKey
    }

    private struct Known: Sendable {
        /// The position up to which the log was read.
        var size: UInt64 = 0

        /// The client's ids for the events of each sample, in the order of the log.
        var ids: [Name: [String]] = [:]
    }

    private let known = Mutex(Known())

    /// Returns the client's ids for the events that were made of a sample, the oldest first.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    func ids(
        of sample: String,
        reportedFrom source: String,
        in ledger: Ledger
    ) throws -> [String] {
        let filter = try LogFilter(for: ledger, types: [.event(.tripReported)])
        return try known.withLock { known in
            known.size = try ledger.scanLog(from: known.size, where: filter) { entry in
                switch entry {
                case .reading: break
                case .event(let event): known.ids.add(event.stored.event)
                }
                return true
            }
            let name = Name(source: NameKey(source), sample: NameKey(sample))
            return known.ids[name] ?? []
        }
    }
}

extension [HealthSamples.Name: [String]] {
    /// Adds an event, if it was made of a sample.
    fileprivate mutating func add(_ event: TripEvent) {
        guard let id = event.id.flatMap({ ClientEvents.ReportID($0) })?.uuid,
            let sample = ClientObject(addedTo: event)[ClientReport.sample]?.text
        else { return }
        let name = HealthSamples.Name(source: NameKey(event.source), sample: NameKey(sample))
        if self[name]?.contains(id) != true { self[name, default: []].append(id) }
    }
}
