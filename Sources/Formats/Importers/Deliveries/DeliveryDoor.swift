package import TripEvents

/// The language of an app that delivers as it records: in the body of a request, or in its query.
package enum DeliveryDoor: String, CaseIterable, Sendable {
    /// OwnTracks over HTTP.
    case owntracks

    /// Overland.
    case overland

    /// Traccar's app, and others that speak the protocol that is called after OsmAnd.
    case osmand

    /// GPSLogger, and other queries with names like its own.
    case gpslogger

    /// Colota, by any of its templates.
    case colota

    /// PhoneTrack.
    case phonetrack

    /// Home Assistant, by an automation of its user's making.
    case homeassistant

    /// Traccar's server, which forwards what it receives.
    case traccarForward = "traccar-forward"
}

/// The facts that are known about the deliverer.
package struct DeliveryOptions: Sendable {
    /// The only sources for which it may deliver, whatever it claims: the first one counts, unless
    /// it distinguishes several devices.
    package var sources: [String]

    /// The zone of times that name none; `nil` if they are to be rejected.
    package var zone: TimeZoneRules?

    /// Opens an encrypted message of OwnTracks, given in base64; returns `nil` if the key is not
    /// the right one.
    package var open: (@Sendable (String) -> [UInt8]?)?

    /// When it was received, which is the time of positions that have none at doors of apps that
    /// may send none; `nil` if they are to be rejected.
    package var receivedAt: Timestamp?

    /// The last report about the motion of each source.
    package var heard: [NameKey: HeardMotion] = [:]

    /// Creates options without zone and key.
    package init(sources: [String]) {
        precondition(!sources.isEmpty, "a delivery is of a source")
        self.sources = sources
    }
}
