extension EventKind {
    /// Returns the members of events of this kind that a name was perhaps meant to be: those that
    /// differ in a letter, or in two if they have more than four.
    package func members(perhapsMeantBy name: String) -> [String] {
        let members =
            EnvelopeName.allCases.map(\.jsonName) + KindFields.of(self).names.map(\.jsonName)
        return members.filter { NearMiss.isNear(name, to: $0) }
    }
}

/// Finds names that were misspelt.
enum NearMiss {
    /// The longest name that is looked at.
    private static let maximumBytes = 32

    /// Returns whether a name is nearly that of a member, but for capitals.
    static func isNear(_ name: String, to member: String) -> Bool {
        let (name, member) = (letters(of: name), letters(of: member))
        guard name.count <= maximumBytes else { return false }
        return distance(name, member) <= (member.count > 4 ? 2 : 1)
    }

    /// Returns whether a name may stand for a member that a line lacks: `latitude` for `lat`.
    static func mayStand(_ name: String, for member: String) -> Bool {
        isNear(name, to: member) || letters(of: name).starts(with: letters(of: member))
    }

    private static func letters(of name: String) -> [UInt8] { Array(name.lowercased().utf8) }

    /// Returns how many letters must be put in, left out, changed, or exchanged with the next one.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(
                    next[column] + 1,
                    last[column + 1] + 1,
                    last[column] + (letter == other ? 0 : 1)
                )
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                next.append(cost)
            }
            (beforeLast, last) = (last, next)
        }
        return last[right.count]
    }
}
