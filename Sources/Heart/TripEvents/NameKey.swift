/// A name by which things are told apart or looked up: of a source, a vehicle, a place, a group, a
/// field.
///
/// Two are the same if their bytes are.
/// Swift takes texts for equal if Unicode does, such as "é" as one character and as an "e" with an
/// accent behind it. The log does not: each is a source of its own. So a name is never compared as
/// a text, and a text is never the key of a dictionary or the member of a set in place of a name.
///
/// ```swift
/// var uses: [NameKey: Int] = [:]
/// uses[NameKey(trip.source), default: 0] += 1
/// ```
public struct NameKey: Hashable, Comparable, Sendable {
    /// The name.
    public let name: String

    /// Makes a key of a name.
    public init(_ name: String) {
        self.name = name
    }

    /// Returns whether two names have the same bytes.
    public static func == (left: NameKey, right: NameKey) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
    }

    /// Returns whether a name comes first by its bytes.
    public static func < (left: NameKey, right: NameKey) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }

    /// Feeds the bytes of the name into a hasher.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
        // No text has this byte, so it is clear where the name ends.
        hasher.combine(UInt8.max)
    }
}

extension NameKey: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Makes a key of a name that is written in the program.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// The name.
    public var description: String { name }
}

extension String {
    /// Returns whether two names or texts are the same, byte by byte (``NameKey``).
    package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Sequence<String> {
    /// Returns whether a name is among these, byte by byte (``NameKey``).
    package func containsName(_ name: String) -> Bool {
        contains { $0.utf8.elementsEqual(name.utf8) }
    }
}
