/// The device could not tell its location; explains gaps.
public struct LocationFailed: Hashable, Sendable {
    /// What the device said.
    public var error: String

    /// Creates the content of the event.
    public init(error: String) {
        self.error = error
    }
}

extension LocationFailed: EventPayload {
    static var blank: LocationFailed { LocationFailed(error: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.error, &error)
    }
}
