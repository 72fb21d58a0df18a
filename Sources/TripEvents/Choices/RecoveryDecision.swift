/// What to do with a trip that was open when its recorder died.
public enum RecoveryDecision: String, CaseIterable, Sendable {
    case resume
    case save
    case abandon
}
