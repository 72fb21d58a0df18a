/// What an edit does to one detail.
public enum DetailChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nothing: the edit does not mention it.
    case unchanged

    /// It is cleared: the edit says null.
    case cleared

    /// It is set.
    case set(Value)
}
