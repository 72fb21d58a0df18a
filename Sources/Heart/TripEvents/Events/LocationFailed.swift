/// The device could not tell its location; explains gaps.
public struct LocationFailed: Hashable, Sendable {
    /// The reason; `nil` only in content that was not read yet.
    public private(set) var reason: LocationFailure?

    /// What the device said, if it said anything.
    public private(set) var error: String?

    /// Creates the content of an event from a device that has no word for the reason.
    public init(error: String) {
        reason = LocationFailure(error: error)
        self.error = error
    }

    /// Creates the content of the event.
    public init(reason: LocationFailure, error: String? = nil) {
        self.reason = reason
        self.error = error
    }

    private init() {}
}

extension LocationFailed: EventPayload {
    static var blank: LocationFailed { LocationFailed() }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.optional(.error, &error)
        try visitor.optional(.reason, &reason)
    }

    func check() throws(Rejection) {
        guard reason != nil || error != nil else {
            throw .missingField(FieldName.reason.jsonName)
        }
    }
}

/// Why a device could not tell its location.
public enum LocationFailure: String, CaseIterable, Sendable {
    /// The user or the system does not let the recorder know.
    case denied

    /// No satellites, or no usable ones.
    case noSignal = "no_signal"

    /// The network that helps was not there.
    case network

    /// No answer in time.
    case timeout

    /// Anything else, or not known.
    case other
}

extension LocationFailure {
    /// Words that tell the reason in the free text of version 1; the first that occurs counts.
    ///
    /// Frozen: another word would change what is read from events that were stored long ago.
    private static let words: [(word: String, reason: LocationFailure)] = [
        ("denied", .denied), ("permission", .denied), ("unauthorized", .denied),
        ("timeout", .timeout), ("timed out", .timeout), ("network", .network),
        ("no signal", .noSignal), ("no satellites", .noSignal), ("locationunknown", .noSignal),
    ]

    /// Returns the reason that a device's words tell.
    init(error: String) {
        // ASCII only, so that no table of letters of a later year changes the answer.
        let text = String(
            decoding: error.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
        self = Self.words.first { Self.contains(text, $0.word) }?.reason ?? .other
    }

    private static func contains(_ text: String, _ word: String) -> Bool {
        let text = Array(text.utf8)
        let word = Array(word.utf8)
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count)
            .contains { text[$0..<$0 + word.count].elementsEqual(word) }
    }
}

/// The device was allowed, or no longer allowed, to use its location; explains gaps.
public struct AuthorizationChanged: Hashable, Sendable {
    /// The permission from now on.
    public var status: LocationAuthorization

    /// Whether full accuracy is allowed, if the device says.
    public var isPrecise: Bool?

    /// Creates the content of the event.
    public init(status: LocationAuthorization, isPrecise: Bool? = nil) {
        self.status = status
        self.isPrecise = isPrecise
    }
}

extension AuthorizationChanged: EventPayload {
    static var blank: AuthorizationChanged { AuthorizationChanged(status: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.status, &status)
        try visitor.optional(.precise, &isPrecise)
    }
}

/// The permission of a recorder to know the location of its device.
public enum LocationAuthorization: String, CaseIterable, Sendable {
    case notDetermined = "not_determined"
    case restricted
    case denied
    case whenInUse = "when_in_use"
    case always
}
