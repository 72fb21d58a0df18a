/// A place was removed.
public struct PlaceRemoved: Hashable, Sendable {
    /// The name of the place.
    public var place: String

    /// Creates the content of the event.
    public init(place: String) {
        self.place = place
    }
}

extension PlaceRemoved: EventPayload {
    static var blank: PlaceRemoved { PlaceRemoved(place: .blank) }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.place, &place)
    }
}
