/// The members that every event has beside its content; the raw value is the member's place beside
/// the tags of ``FieldName``.
enum EnvelopeName: UInt8, CaseIterable {
    case type = 0x78
    case source = 0x79
    case occurredAt = 0x7A
    case id = 0x7B
    case sequence = 0x7C
    case actor = 0x7D

    /// The member's name.
    var jsonName: String {
        switch self {
        case .type: "type"
        case .source: "source"
        case .occurredAt: "occurred_at"
        case .id: "id"
        case .sequence: "sequence"
        case .actor: "actor"
        }
    }
}
