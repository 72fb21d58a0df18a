/// What a reader compares the members of the most frequent line with, a GPS fix.
///
/// A reader keeps it, so that no line asks whether it has been made.
struct PlainFixNames: Sendable {
    /// The one that readers share.
    static let shared = PlainFixNames()

    /// The type of a fix.
    let fixRecorded = PackedName(EventKind.fixRecorded.name.utf8)

    /// The members that a fix must have, a bit for each code.
    let position = Self.bits([.latitude, .longitude], [])

    /// The members that a fix may have, a bit for each code.
    let fixMembers = Self.bits(
        [.latitude, .longitude, .accuracy, .altitude, .speed, .course, .provider, .mock],
        EnvelopeName.allCases
    )

    private let providers = FixProvider.allCases.map { (PackedName($0.rawValue.utf8), $0) }

    /// Returns the provider of that name.
    func provider(_ name: PackedName) -> FixProvider? {
        for (packed, provider) in providers where packed == name {
            return provider
        }
        return nil
    }

    private static func bits(_ fields: [FieldName], _ envelope: [EnvelopeName]) -> UInt128 {
        (fields.map(\.rawValue) + envelope.map(\.rawValue)).reduce(0) { $0 | 1 << UInt128($1) }
    }
}
