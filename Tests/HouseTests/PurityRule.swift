/// The core asks nothing of the world: what depends on *now* or on chance comes in as a value.
///
/// `random(in:using:)` and its kin are banned with a generator too: the standard library may change
/// what they make of it with any version, and a seed must give the same drive for ever.
struct PurityRule: HouseRule {
    private static let words: [String: String] = [
        "Foundation": "Foundation",
        "async": "concurrency", "await": "concurrency", "Task": "concurrency",
        "TaskGroup": "concurrency", "Mutex": "concurrency", "DispatchQueue": "concurrency",
        "FileManager": "files", "FileHandle": "files", "FileDescriptor": "files", "fopen": "files",
        "ProcessInfo": "environment", "CommandLine": "environment", "getenv": "environment",
        "setenv": "environment", "Locale": "locale", "setlocale": "locale",
        "SystemRandomNumberGenerator": "randomness", "arc4random": "randomness",
        "drand48": "randomness",
        "ContinuousClock": "a clock", "SuspendingClock": "a clock", "clock_gettime": "a clock",
        "gettimeofday": "a clock",
    ]

    private static let memory = "unsafe memory"

    private static let methods: [String: String] = [
        "random": "randomness", "randomElement": "randomness", "shuffled": "randomness",
        "shuffle": "randomness",
    ]

    private static let functions: [String: String] = [
        "print": "output", "debugPrint": "output", "dump": "output", "puts": "output",
        "printf": "output", "readLine": "input", "Date": "a clock", "time": "a clock",
        "clock": "a clock", "rand": "randomness", "random": "randomness",
    ]

    func findings(in source: SwiftSource) -> [Finding] {
        guard !House.core.isDisjoint(with: source.places) else { return [] }
        // Another rule looks at the memory that its doors need.
        let isKeeper = !House.memoryKeepers.isDisjoint(with: source.places)
        return source.tokens.indices.compactMap { index in
            guard let reach = Self.reach(of: source, at: index),
                !(isKeeper && reach == Self.memory)
            else { return nil }
            let token = source.tokens[index]
            return source.finding(token.line, "\(token.text): the core has no \(reach)")
        }
    }

    private static func reach(of source: SwiftSource, at index: Int) -> String? {
        let word = source.word(at: index)
        if let reach = words[word] { return reach }
        if word.lowercased().contains("unsafe") { return memory }
        guard source.word(at: index + 1) == "(" else { return nil }
        let before = source.word(at: index - 1)
        if before == ".", let reach = methods[word] { return reach }
        // A method, case or function of ours may be called `time`; the C library's may not be used.
        let owner = before == "." ? source.word(at: index - 2) : nil
        let isOurs =
            owner.map { $0 != "Swift" && $0 != "Glibc" } ?? ["case", "func"].contains(before)
        return isOurs ? nil : functions[word]
    }
}

/// A command reads all that it prints from one snapshot: a second one may be of another ledger.
///
/// Only events that a command itself has appended are a reason to read again.
struct SnapshotRule: HouseRule {
    func findings(in source: SwiftSource) -> [Finding] {
        guard source.path.hasPrefix("Sources/Programs/LedgerTool/") else { return [] }
        return FunctionBodies.lines(of: source).flatMap { findings(in: source, lines: $0) }
    }

    private func findings(in source: SwiftSource, lines: ClosedRange<Int>) -> [Finding] {
        var findings: [Finding] = []
        var hasRead = false
        for index in source.tokens.indices where lines.contains(source.tokens[index].line) {
            switch source.word(at: index) {
            case "append": hasRead = false
            case "read" where source.word(at: index - 2) == "ledger":
                if hasRead {
                    findings.append(
                        source.finding(source.tokens[index].line, "a second snapshot")
                    )
                }
                hasRead = true
            default: break
            }
        }
        return findings
    }
}
