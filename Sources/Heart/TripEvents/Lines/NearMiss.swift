extension EventKind {
    /// Returns the members of events of this kind that a name was perhaps meant to be: those that
    /// other programs call so, and those that differ in a letter, or in two if they have more than
    /// four.
    package func members(perhapsMeantBy name: String) -> [String] {
        let members =
            EnvelopeName.allCases.map(\.jsonName) + KindFields.of(self).names.map(\.jsonName)
        return members.filter { NearMiss.isAnotherWord(name, for: $0) }
            + members.filter { NearMiss.isNear(name, to: $0) }
    }

    /// Whether a name, which is none of the members of events of this kind, was perhaps meant to be
    /// `occurred_at`.
    package func mayMeanItsTime(_ name: String) -> Bool {
        let time = EnvelopeName.occurredAt.jsonName
        let members =
            EnvelopeName.allCases.map(\.jsonName) + KindFields.of(self).names.map(\.jsonName)
        return !members.contains(name) && NearMiss.mayStand(name, for: time)
    }

    /// Returns the kind that a name was perhaps meant to be: one that differs in a letter or two,
    /// or the only one that begins with it, such as `fix_recorded` for `fix`.
    static func perhapsMeant(by name: String) -> EventKind? {
        let kinds = allCases.filter { !$0.isReserved }
        if let near = kinds.first(where: { NearMiss.isNear(name, to: $0.name) }) { return near }
        let beginning = kinds.filter { NearMiss.isFirstWord(name, of: $0.name) }
        return beginning.count == 1 ? beginning[0] : nil
    }
}

/// Finds names that were misspelt.
enum NearMiss {
    /// The longest name that is looked at.
    private static let maximumBytes = 32

    /// What other programs call a member.
    private static let otherWords: [String: [String]] = [
        "from": ["origin", "start", "from_place", "start_place", "start_location"],
        "to": ["destination", "stop", "end", "to_place", "end_place", "end_location"],
        "occurred_at": ["time", "timestamp", "date", "datetime", "ts", "when", "recorded_at"],
        "started_at": ["start_time", "start_date", "start", "began_at"],
        "ended_at": ["end_time", "end_date", "stop_time", "stopped_at"],
        "distance_m": ["distance", "meters", "metres", "distance_meters", "distance_metres"],
        "lat": ["latitude"], "lon": ["longitude", "lng", "long"],
        "altitude": ["alt", "elevation", "ele"], "course": ["heading", "bearing", "direction"],
        "accuracy": ["acc", "horizontal_accuracy"], "speed": ["velocity", "vel"],
        "source": ["device", "device_id", "tracker"],
    ]

    /// Returns whether other programs call a member so.
    static func isAnotherWord(_ name: String, for member: String) -> Bool {
        otherWords[member]?.contains(name.lowercased()) ?? false
    }

    /// Returns whether a name is the beginning of another, up to a low line there.
    static func isFirstWord(_ name: String, of other: String) -> Bool {
        let (name, other) = (letters(of: name), letters(of: other))
        return !name.isEmpty && other.count > name.count && other.starts(with: name)
            && other[name.count] == UInt8(ascii: "_")
    }

    /// Returns whether a name is nearly that of a member, but for capitals.
    static func isNear(_ name: String, to member: String) -> Bool {
        let (name, member) = (letters(of: name), letters(of: member))
        guard name.count <= maximumBytes else { return false }
        return distance(name, member) <= (member.count > 4 ? 2 : 1)
    }

    /// Returns whether a name may stand for a member that a line lacks: `latitude` for `lat`.
    static func mayStand(_ name: String, for member: String) -> Bool {
        isNear(name, to: member) || isAnotherWord(name, for: member)
            || letters(of: name).starts(with: letters(of: member))
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
