/// How an odometer was read.
public enum OdometerMethod: String, CaseIterable, Sendable {
    case typed
    case photo
    case onBoardDiagnostics = "obd"
    case imported
}
