import Importers
import LedgerHTTP
import Platform
import ServerStore
import Synchronization
import TripEvents
import TripLedger

/// Adopts rules for the sources of apps that report positions alone, once for each.
final class DoorRules: Sendable {
    private let reader: LedgerReader
    private let writer: EventWriter

    /// The sources that were checked since the server was started.
    private let settled = Mutex<Set<SourceKey>>([])

    init(reader: LedgerReader, writer: EventWriter) {
        self.reader = reader
        self.writer = writer
    }

    /// Adopts rules for the source of a delivery that was stored, if it needs them.
    ///
    /// - Parameters:
    ///   - delivery: The delivery.
    ///   - door: The door at which it was made.
    ///   - token: The token that it showed.
    func adopt(
        after delivery: ReadDelivery,
        at door: DeliveryEndpoint.Door,
        with token: Token
    ) async {
        guard !delivery.items.isEmpty, let source = token.sources.first else { return }
        let key = SourceKey(source, of: token.group)
        // Apps with a motion sensor start trips by themselves; their sources are checked once, too.
        guard settled.withLock({ $0.insert(key).inserted }), door.mayLackMotion,
            delivery.heard.isEmpty
        else { return }
        do throws(Problem) {
            let (isKnown, lacksRules) = try await reader.read(seenBy: .everything) { snapshot in
                let isKnown = try snapshot.seesSource(named: source, of: token.group)
                return (isKnown, try isKnown ? snapshot.lacksRules(source: source) : false)
            }
            // All of it may have been set aside.
            if !isKnown { _ = settled.withLock { $0.remove(key) } }
            guard lacksRules else { return }
            _ = try await writer.store(.adoptingRules(for: source, of: token.group, at: door.app))
        } catch {
            // The delivery is stored; the next one tries again.
            _ = settled.withLock { $0.remove(key) }
        }
    }

    /// Returns the command for an OwnTracks app that is to record densely only during trips; `nil`
    /// if its mode is right already, or if it is not known whether a trip is in progress.
    ///
    /// The app says with a position how it records (`m`); if it does not, it gets the command each
    /// time.
    ///
    /// - Parameters:
    ///   - delivered: The delivery that is answered.
    ///   - token: The token that it showed.
    /// - Returns: The answer.
    func command(after delivered: DeliveredRequest, of token: Token) async -> [UInt8]? {
        guard let source = token.sources.first,
            let isOpen = try? await reader.read(
                seenBy: token.sight,
                { snapshot in
                    let status = try snapshot.status(asOf: WallClock.now, of: .named(source))
                    return status.sources.first?.live.trip != nil
                }
            )
        else { return nil }
        let mode: OwnTracksMode = isOpen ? .move : .significant
        return delivered.ownTracksMode == mode.rawValue ? nil : mode.command
    }
}

extension DeliveryEndpoint.Door {
    /// Whether apps that do not report motion may deliver here: besides Overland, which reports it,
    /// GPSLogger uses Dawarich's path of Overland.
    fileprivate var mayLackMotion: Bool {
        switch app {
        case .owntracks, .osmand, .gpslogger, .phonetrack, .colota, .homeassistant: true
        case .overland: isDawarich
        case .traccarForward: false
        }
    }
}
