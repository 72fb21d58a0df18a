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

    mutating func visit(_ visitor: inout some FieldVisitor) throws(Rejection) {
        try visitor.required(.place, &place)
    }
}
