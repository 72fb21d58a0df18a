import TripEvents

// OwnTracks says with each position how densely it records, which is no fact about its way.
extension DeliveredRequest {
    /// Longer bodies are not looked into once more.
    private static let mostBytes = 1 << 16

    /// The mode in which OwnTracks says it records, as its setting `monitoring`; `nil` if it does
    /// not say.
    package var ownTracksMode: Int? {
        guard body.count <= Self.mostBytes else { return nil }
        return (try? JSONValue(body.span)).flatMap(Self.mode)
    }

    private static func mode(of value: JSONValue) -> Int? {
        switch value {
        case .list(let elements): elements.last.flatMap(mode)
        case .object:
            if case .number(let literal)? = value["m"] { Int(literal) } else { nil }
        case .null, .boolean, .number, .text: nil
        }
    }
}
