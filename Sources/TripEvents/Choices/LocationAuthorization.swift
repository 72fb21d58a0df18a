/// What a device lets the recorder know of its location.
public enum LocationAuthorization: String, CaseIterable, Sendable {
    case notDetermined = "not_determined"
    case restricted
    case denied
    case whenInUse = "when_in_use"
    case always
}
