/// The device could not tell its location; explains gaps.
public struct LocationFailed: Hashable, Sendable {
    /// Why; `nil` only in content that was not read yet.
    public private(set) var reason: LocationFailure?

    /// What the device said, if it said anything.
    public private(set) var error: String?

    /// Creates the content of an event as devices report it that have no word for the reason.
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
