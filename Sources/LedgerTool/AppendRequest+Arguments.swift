import TripLedger

extension AppendRequest {
    /// Reads arguments such as `--ledger book append --receipts drive.jsonl`, or gives up.
    ///
    /// `append` runs once for each event where a program has only one at a time, and the argument
    /// parser, which finds out by reflection what there is, takes longer than storing the event.
    /// What is not clear at once, such as `--help`, a mistake or an option given twice, is left to
    /// the parser, which knows all that can be said. What is clear MUST mean the same to it.
    init?(_ arguments: [String]) {
        var words = arguments.makeIterator()
        var isNamed = false
        while let word = words.next() {
            switch word {
            case "--ledger" where ledger == nil:
                guard let directory = words.next(), Self.isPlain(directory) else { return nil }
                ledger = directory
            case "--format":
                let format = words.next().flatMap { OutputFormat(rawValue: $0) }
                // There is no table; the others make no difference.
                guard let format, format != .csv else { return nil }
            case AppendCommand.name where !isNamed:
                isNamed = true
            case "--source" where isNamed && intake.defaultSource == nil:
                guard let source = words.next(), Self.isPlain(source) else { return nil }
                intake.defaultSource = source
            case "--expect-size" where isNamed && intake.expectedSize == nil:
                guard let size = words.next().flatMap(UInt64.init) else { return nil }
                intake.expectedSize = size
            case "--receipts" where isNamed:
                intake.answersEveryLine = true
            case "--all-or-nothing" where isNamed:
                intake.isAllOrNothing = true
            case _ where isNamed && Self.isPlain(word):
                files.append(word)
            default:
                return nil
            }
        }
        guard isNamed else { return nil }
    }

    /// Whether a word is a name, and neither an option nor missing.
    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty && !word.hasPrefix("-")
    }
}
