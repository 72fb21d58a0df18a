/// Why stored bytes of a derived state cannot be read; the state is then derived again.
public enum StateError: Error, Hashable, Sendable {
    /// The bytes end too early.
    case truncated

    /// There are bytes after the end.
    case trailingBytes

    /// Another version of the program wrote them; the value is the version byte.
    case unknownVersion(UInt8)

    /// A value is not one that the program can have written.
    case invalidValue
}
