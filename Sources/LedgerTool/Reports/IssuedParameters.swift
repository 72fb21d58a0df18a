import ArgumentParser
import RowFormats
import TripEvents

/// What a report was asked for, in words that say the same at any time: every option of its command
/// on which a byte depends, by its name.
struct IssuedParameters {
    /// The options on which no byte depends.
    static let immaterial: Set<String> = [
        "actor", "draft", "issue", "ledger", "no-pager", "output", "replace", "wide",
    ]

    /// The options that say which days are meant: `--from` and `--to` stand for all of them.
    static let ofDays: Set<String> = ["day", "from", "month", "to", "year"]

    private static let firstDay = "from"
    private static let lastDay = "to"
    private static let moment = "as-of"
    private static let format = "format"

    /// The parameters as an event has them: a text for an option, true for a flag.
    private(set) var fields: CustomFields

    /// Takes over the parameters of an event.
    init(_ fields: CustomFields?) {
        self.fields = fields ?? CustomFields()
    }

    /// Reads what a report is asked for.
    ///
    /// - Parameters:
    ///   - words: What was written after the command's name.
    ///   - command: The command.
    ///   - format: The format, which the name of a file may have said.
    ///   - days: The days that are meant.
    ///   - instant: The instant to which time passes.
    init(
        _ words: [String],
        of command: any ParsableCommand.Type,
        format: ReportFormat,
        days: ClosedRange<CivilDate>,
        asOf instant: Timestamp
    ) {
        fields = CustomFields()
        for setting in CommandForm(command)?.settings(in: words) ?? []
        where !Self.immaterial.union(Self.ofDays).contains(setting.name) {
            fields[setting.name] = setting.value.map { .text($0) } ?? .boolean(true)
        }
        fields[Self.format] = .text(format.rawValue)
        fields[Self.firstDay] = .text(days.lowerBound.description)
        fields[Self.lastDay] = .text(days.upperBound.description)
        fields[Self.moment] = .text(RFC3339.text(instant, utcOffset: nil))
    }

    /// The same as arguments of the command.
    var arguments: [String] {
        fields.all.map { field in
            switch field.value {
            case .text(let text): "--\(field.key)=\(text)"
            case .number(let number): "--\(field.key)=\(number)"
            case .boolean, .null: "--\(field.key)"
            }
        }
    }

    /// The same in another format; in the same one for `nil`.
    func written(as format: ReportFormat?) -> IssuedParameters {
        guard let format else { return self }
        var other = self
        other.fields[Self.format] = .text(format.rawValue)
        return other
    }

    /// Returns the command with these options that makes a report.
    ///
    /// - Throws: What the argument parser says; `ValidationError` if it is no report.
    func command(_ report: String) throws -> any ReportMaking {
        let words = [ReportCommand._commandName, report] + arguments
        guard let command = try LedgerCommand.parseAsRoot(words) as? any ReportMaking else {
            throw ValidationError("There is no report '\(Excerpt.escaped(report))'.")
        }
        return command
    }

    /// A parameter's value, if it is there and no flag.
    func text(_ name: String) -> String? {
        guard case .text(let text)? = fields[name] else { return nil }
        return text
    }
}
