/// The versions that the contents of events have had: older ones are read as the newest, and stored
/// bytes stay as they are.
enum PayloadHistory {
    /// Every step there ever was.
    static let steps: [PayloadStep] = [.locationFailedReason]

    /// The form byte has two bits for the version.
    static let versions = 1...4

    /// The steps of each kind in order, checked when they are first needed.
    private static let chains: [EventKind: [PayloadStep]] = {
        let problems = Self.problems(in: steps)
        precondition(problems.isEmpty, problems.joined(separator: "; "))
        return Dictionary(grouping: steps, by: \.kind)
            .mapValues { $0.sorted { $0.from < $1.from } }
    }()

    /// The newest version of a kind's content.
    static func currentVersion(of kind: EventKind) -> Int {
        chains[kind]?.last?.to ?? versions.lowerBound
    }

    /// Returns what fields of any version say in the newest one.
    static func upcast(_ fields: EventFields, of kind: EventKind) -> EventFields {
        guard let chain = chains[kind] else { return fields }
        return chain.reduce(fields) { $1.isOlder($0) ? $1.upcast($0) : $0 }
    }

    /// Returns the fields of the oldest version that say exactly the same, with that version:
    /// events that an older version could say keep their bytes, and so their identity.
    static func oldest(
        _ fields: EventFields,
        of kind: EventKind
    ) -> (fields: EventFields, version: Int) {
        var fields = fields
        var version = currentVersion(of: kind)
        for step in chains[kind]?.reversed() ?? [] {
            guard let older = step.downcast(fields) else { break }
            fields = older
            version = step.from
        }
        return (fields, version)
    }

    /// Returns what is wrong with some steps: gaps, cycles, two of one version.
    static func problems(in steps: [PayloadStep]) -> [String] {
        var problems: [String] = []
        for (kind, steps) in Dictionary(grouping: steps, by: \.kind) {
            var next = versions.lowerBound
            for step in steps.sorted(by: { $0.from < $1.from }) {
                if step.to != step.from + 1 {
                    problems.append("\(kind.name) goes from \(step.from) to \(step.to)")
                }
                if step.from != next {
                    problems.append("\(kind.name) has a step from \(step.from), not \(next)")
                }
                next = step.from + 1
            }
            if !versions.contains(next) {
                problems.append("\(kind.name) has more versions than the form can tell")
            }
        }
        return problems.sorted()
    }
}
