/// The device was allowed, or no longer allowed, to use its location; explains gaps.
public struct AuthorizationChanged: Hashable, Sendable {
    /// What is allowed from now on.
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
