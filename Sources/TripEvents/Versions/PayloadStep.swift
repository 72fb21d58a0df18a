/// How the content of one kind of event went from one version to the next (Formats, *Versions*).
///
/// A step is pure and frozen: what was stored reads the same in every year.
struct PayloadStep: Sendable {
    /// The kind of event.
    let kind: EventKind

    /// The version that it takes.
    let from: Int

    /// The version that it makes.
    let to: Int

    /// Returns whether fields are still of the older version.
    let isOlder: @Sendable (EventFields) -> Bool

    /// Returns what fields of the older version say in the newer one.
    let upcast: @Sendable (EventFields) -> EventFields

    /// Returns the fields of the older version that say the same, or `nil` if there are none.
    let downcast: @Sendable (EventFields) -> EventFields?
}
