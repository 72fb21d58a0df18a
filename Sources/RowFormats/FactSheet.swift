/// Facts with their labels, one on a line.
package struct FactSheet {
    private let facts: [(label: String, fact: String)]

    /// Creates a sheet of facts in their order.
    package init(_ facts: [(label: String, fact: String)]) {
        self.facts = facts
    }

    /// Returns a sheet with the facts of one, then those of another.
    package static func + (first: FactSheet, second: FactSheet) -> FactSheet {
        FactSheet(first.facts + second.facts)
    }

    /// The lines, the facts below one another.
    package var text: String {
        let width = facts.map(\.label.count).max() ?? 0
        return
            facts.map { label, fact in
                label + String(repeating: " ", count: width - label.count) + "  " + fact + "\n"
            }
            .joined()
    }
}
