/// The versions that the contents of events have had: older ones are read as the newest, and stored
/// bytes stay as they are.
enum PayloadHistory {
    /// Every step there ever was, those of a kind one after the other.
    static let steps: [PayloadStep] = {
        let steps: [PayloadStep] = [.locationFailedReason]
        let problems = Self.problems(in: steps)
        precondition(problems.isEmpty, problems.joined(separator: "; "))
        return steps
    }()

    /// The form byte has two bits for the version.
    static let versions = 1...4

    /// The newest version of a kind's content.
    static func currentVersion(of kind: EventKind) -> Int {
        steps.last { $0.kind == kind }?.to ?? versions.lowerBound
    }

    /// Returns what fields of any version say in the newest one.
    static func upcast(_ fields: EventFields, of kind: EventKind) -> EventFields {
        var fields = fields
        for step in steps where step.kind == kind && step.isOlder(fields) {
            fields = step.upcast(fields)
        }
        return fields
    }

    /// Returns the fields of the oldest version that say exactly the same, with that version:
    /// events that an older version could say keep their bytes, and so their identity.
    static func oldest(
        _ fields: EventFields,
        of kind: EventKind
    ) -> (fields: EventFields, version: Int) {
        var fields = fields
        var version = currentVersion(of: kind)
        for step in steps.reversed() where step.kind == kind {
            guard let older = step.downcast(fields) else { break }
            fields = older
            version = step.from
        }
        return (fields, version)
    }

    /// Returns what is wrong with some steps: gaps, cycles, two of one version.
    static func problems(in steps: [PayloadStep]) -> [String] {
        var problems: [String] = []
        for (index, step) in steps.enumerated() {
            let before = steps[..<index].last { $0.kind == step.kind }
            let next = before?.to ?? versions.lowerBound
            if step.to != step.from + 1 {
                problems.append("\(step.kind.name) goes from \(step.from) to \(step.to)")
            }
            if step.from != next {
                problems.append("\(step.kind.name) has a step from \(step.from), not \(next)")
            }
            if !versions.contains(step.to) {
                problems.append("\(step.kind.name) has more versions than the form can tell")
            }
        }
        return problems
    }
}

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

extension PayloadStep {
    /// Version 1 had the device's words only; version 2 says the reason in one of a few words, and
    /// can do without the device's.
    static let locationFailedReason = PayloadStep(
        kind: .locationFailed,
        from: 1,
        to: 2,
        isOlder: { $0[.reason] == nil && $0[.error] != nil },
        upcast: { fields in
            guard case .text(let error) = fields[.error] else { return fields }
            let reason = EventFields.Field(
                name: .reason,
                value: LocationFailure(error: error).fieldValue
            )
            return EventFields(fields.all + [reason])
        },
        downcast: { fields in
            guard case .text(let error) = fields[.error],
                fields[.reason] == LocationFailure(error: error).fieldValue
            else { return nil }
            return EventFields(fields.all.filter { $0.name != .reason })
        }
    )
}
