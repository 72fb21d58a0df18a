/// What made a GPS reading.
public enum FixProvider: String, CaseIterable, Sendable {
    case gps
    case network
    case fused
    case passive
    case cell
    case wifi
    case manual
    case simulated

    /// The provider's number in a fix's origin byte, 1 … 15 (Formats, *Payloads*).
    var code: UInt8 {
        switch self {
        case .gps: 1
        case .network: 2
        case .fused: 3
        case .passive: 4
        case .cell: 5
        case .wifi: 6
        case .manual: 7
        case .simulated: 8
        }
    }
}
