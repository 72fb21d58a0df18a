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

    /// Writes the facts below one another.
    ///
    /// - Parameter width: How many characters a line may have, as far as words allow it; `nil` for
    ///   any number.
    /// - Returns: The lines.
    package func text(width: Int?) -> String {
        let labels = (facts.map(\.label.count).max() ?? 0) + 2
        return
            facts.map { label, fact in
                let gap = String(repeating: " ", count: labels - label.count)
                return TextStyle.wrapped("\(label)\(gap)\(fact)", to: width, indentation: labels)
                    + "\n"
            }
            .joined()
    }
}
