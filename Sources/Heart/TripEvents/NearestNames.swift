/// The known names that a person may have meant by an unknown one: the nearest, or two that are
/// equally near.
package struct NearestNames {
    /// How many letters of a long name are compared.
    private static let comparedLength = 64

    /// The shortest beginning of a name that says which one is meant.
    private static let shortestBeginning = 2

    /// The names, as they are known; none if no name is near.
    package let names: [String]

    /// Finds the names that are nearest to `name` among those that are `known`.
    ///
    /// Near is a name that differs in at most a third of its letters, or begins with `name`; upper
    /// and lower case are the same letter.
    package init(to name: String, among known: some Sequence<String>) {
        let written = Self.letters(of: name)
        var nearest: [String] = []
        var least = Int.max
        for candidate in known where !nearest.contains(candidate) {
            let letters = Self.letters(of: candidate)
            guard let distance = Self.distance(from: written, to: letters), distance <= least
            else { continue }
            if distance < least { nearest = [] }
            least = distance
            nearest.append(candidate)
        }
        names = Array(nearest.prefix(2))
    }

    /// The question to a person, such as `Did you mean 'trip' or 'trips'?`; `nil` if no name is
    /// near.
    package var question: String? { question { "'\($0)'" } }

    /// Returns the question with each name as `quoted` makes it.
    package func question(_ quoted: (String) -> String) -> String? {
        guard !names.isEmpty else { return nil }
        return "Did you mean \(names.map(quoted).joined(separator: " or "))?"
    }

    /// Returns how far a name is from what was written, or `nil` if that is too far.
    private static func distance(from written: [Character], to known: [Character]) -> Int? {
        guard !written.isEmpty, !known.isEmpty else { return nil }
        let distance = editDistance(written, known)
        let most = max(1, max(written.count, known.count) / 3)
        if distance <= most, distance < max(written.count, known.count) { return distance }
        let isBeginning = written.count >= shortestBeginning && known.starts(with: written)
        // Further away than every name that is near by its letters.
        return isBeginning ? comparedLength + known.count : nil
    }

    private static func letters(of name: String) -> [Character] {
        Array(name.lowercased().prefix(comparedLength))
    }

    /// Returns how many letters have to be inserted, deleted, replaced or exchanged with the next
    /// one to make one word of another: the optimal string alignment distance, in which no letter
    /// changes twice (Damerau 1964; Boytsov 2011, §2.1).
    static func editDistance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var least = min(
                    last[column] + (letter == other ? 0 : 1),
                    last[column + 1] + 1,
                    current[column] + 1
                )
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}
