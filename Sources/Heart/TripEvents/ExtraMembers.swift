/// The members of an event that its type does not have, kept as they were sent: an object of JSON
/// with its members in the order in which they came.
///
/// Nothing in the ledger looks at what they say. They are stored without white space and with as
/// few escapes as possible; numbers keep the digits that they were sent with.
public struct ExtraMembers: Hashable, Sendable {
    /// The most bytes that the stored object may have.
    public static let maximumBytes = 16_384

    /// How many lists and objects may be inside one another, this object included.
    public static let maximumDepth = 16

    /// The object in UTF-8.
    let bytes: [UInt8]

    /// The object.
    public var json: String { String(decoding: bytes, as: UTF8.self) }

    /// Creates extra members from an object of JSON, or returns `nil` if the text is not one, has
    /// no member, or is beyond a limit.
    public init?(json: String) {
        let text = Array(json.utf8)
        guard case .object(let members) = try? JSONValue(text.span), !members.isEmpty,
            let extra = try? ExtraMembers(members)
        else { return nil }
        self = extra
    }

    /// Creates extra members: there MUST be at least one, and each name MUST be there only once.
    init(_ members: [JSONValue.Member]) throws(Rejection) {
        var bytes: [UInt8] = []
        JSONWriter.append(members, to: &bytes)
        try Self.check(members, byteCount: bytes.count)
        self.bytes = bytes
    }

    /// Reads the object that is part of a payload.
    init(_ payload: Span<UInt8>, _ range: Range<Int>) throws(PayloadDamage) {
        let stored = payload.bytes(in: range)
        let json = String(validating: stored, as: UTF8.self)
        guard let extra = json.flatMap({ ExtraMembers(json: $0) }), extra.bytes == stored else {
            throw PayloadDamage("The extra members are no object in its shortest form.")
        }
        self = extra
    }

    private static func check(
        _ members: [JSONValue.Member],
        byteCount: Int
    ) throws(Rejection) {
        let name = EnvelopeName.extra.jsonName
        guard byteCount <= maximumBytes else {
            throw Rejection(
                .extraTooLong,
                sentence: "The members that events of this type do not have take \(byteCount) "
                    + "bytes as \(name); \(maximumBytes) are allowed."
            )
        }
        guard depth(of: .object(members)) <= maximumDepth else {
            throw Rejection(
                .tooDeep,
                sentence: "The members that events of this type do not have are nested more than "
                    + "\(maximumDepth) deep as \(name)."
            )
        }
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .null, .boolean, .number, .text: 0
        case .list(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
        }
    }
}
