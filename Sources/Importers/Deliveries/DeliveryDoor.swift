package import TripEvents

/// What an app speaks that delivers as it records: the body of a request, or its query.
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

    /// Traccar's server, which forwards what it receives.
    case traccarForward = "traccar-forward"
}

/// What is known of who delivers.
package struct DeliveryOptions: Sendable {
    /// The sources that it may deliver of, whatever it says of itself: the first one, unless it
    /// tells several devices apart.
    package var sources: [String]

    /// The zone of times that name none; `nil` if they are to be rejected.
    package var zone: TimeZoneRules?

    /// Opens an encrypted message of OwnTracks, given in base64; returns `nil` if the key is not
    /// the right one.
    package var open: (@Sendable (String) -> [UInt8]?)?

    /// What was said last of the motion of each source.
    package var heard: [String: HeardMotion] = [:]

    /// Creates options without zone and key.
    package init(sources: [String]) {
        precondition(!sources.isEmpty, "a delivery is of a source")
        self.sources = sources
    }
}
