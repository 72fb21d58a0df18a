import Foundation

/// Puts placeholders where two runs cannot agree.
///
/// Those are roots, keys, signatures, ids of ledgers, the present and the temporary directory.
/// Everything else, ids of trips above all, has to be the same.
package struct Normalizer {
    private static let rules = [
        (#"(Id +|Ledger +|"ledger":")[0-9a-f]{32}\b"#, "$1<ledger>"),
        (#"\b[0-9a-f]{64}\b"#, "<root>"),
        // Days until today, in text, CSV and JSON.
        (#"((?:edited|reported|overlapping)  ) *\d+"#, "$1<days>"),
        (#"(\d|-|[a-z])  +\d{3,}(  [0-9a-f]{8})$"#, "$1  <days>$2"),
        (#"((?:edited|reported|overlapping),|"days_until_details":)\d+"#, "$1<days>"),
        (#"("days_until_(?:last_details|recorded)":)\d{3,}"#, "$1<days>"),
        (#"(,[0-9a-f]{32},)\d{3,}(,\d{3,})"#, "$1<days>$2"),
        (#"(,[0-9a-f]{32},(?:<days>)?,)\d{3,}"#, "$1<days>"),
        // Days until today in lists of changes, after what a field became and why.
        (#"("(?: +\S.*\S)?| (?:business|personal|commute)) +\d{3,}$"#, "$1  <days>"),
        (#"( – \d\d:\d\d:\d\d(?: +\S.*\S)?) +\d{3,}$"#, "$1  <days>"),
        // Times of the present have milliseconds, and pages show them for years.
        (#"\b20(2[6-9]|[3-9]\d)(-\d\d){2} (\d\d:){2}\d\d\.\d{3}( (UTC|[+-]\d\d:\d\d))?"#, "<now>"),
        (#"(,[a-z]+_[a-z]+,[a-z_]+,.*\.\d{3}Z,|"days_after_trip":)\d{3,}"#, "$1<days>"),
        (#"\breplaced-\d+"#, "replaced-<time>"),
        (#"(trip-ledger/|keys/|heads/)[0-9a-f]{32}\b"#, "$1<ledger>"),
        (#"\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}"#, "+<key>"),
        (#"(Key id +|"key_id":")[0-9a-f]{8}\b"#, "$1<id>"),
        (#"\b\d{5}( \d{5}){7}\b"#, "<fingerprint>"),
        (#"(\x{2014} \S+ )[A-Za-z0-9+/]{80,}=*"#, "$1<signature>"),
        (#"\btl1_([a-z]+)_[0-9A-Za-z]{43}_[0-9a-f]{8}\b"#, "<$1 token>"),
        (#"(config\?inline|setup\?config)=[0-9A-Za-z]{40,}"#, "$1=<configuration>"),
        (#"(^|\\n)[A-Za-z0-9+/]{43}="#, "$1<hash>"),
        (#"(In notes +|In the code: )[A-Za-z0-9+/]{43}="#, "$1<root>"),
        (#"(Recorded +)\d{4}-.*"#, "$1<now> to <now>"),
    ]
    .map(Rule.init)

    private let directory: String
    private let times: [Rule]

    package init(directory: String) {
        self.directory = directory
        // Yesterday to tomorrow: a run may pass midnight, and offsets of time zones vary.
        let days = [-1.0, 0, 1]
            .map { offset in
                let date = Date().addingTimeInterval(offset * 86_400)
                return date.formatted(.iso8601.year().month().day())
            }
        let day = "(\(days.joined(separator: "|")))"
        times = [
            (day + #"T\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)"#, "<now>"),
            (day + #" \d\d:\d\d(:\d\d(\.\d{3})?)?( (UTC|[+-]\d\d:\d\d))?"#, "<now>"),
        ]
        .map(Rule.init)
    }

    /// Returns a line with placeholders.
    package func normalized(_ line: String) -> String {
        var line = line.replacingOccurrences(of: directory, with: "<directory>")
        for rule in Self.rules + times { rule.apply(to: &line) }
        return line
    }

    /// What stands for what has a pattern.
    private struct Rule: Sendable {
        /// The pattern, compiled once for all lines.
        private let expression: NSRegularExpression?

        private let placeholder: String

        init(pattern: String, placeholder: String) {
            expression = try? NSRegularExpression(pattern: pattern)
            self.placeholder = placeholder
        }

        /// Puts the placeholder in place of each match.
        func apply(to line: inout String) {
            guard let expression else { return }
            let whole = NSRange(location: 0, length: line.utf16.count)
            guard expression.firstMatch(in: line, range: whole) != nil else { return }
            line = expression.stringByReplacingMatches(
                in: line,
                range: whole,
                withTemplate: placeholder
            )
        }
    }
}
