import Platform
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// Words for the person at the terminal, on standard error; an error is a JSON object if a program
/// reads it.
struct Diagnostic {
    /// The words, with the end of the line.
    let text: String

    /// Says what went wrong and what to do.
    init(_ error: LedgerError) {
        let hint = error.hint.isEmpty ? "" : Excerpt.escaped(ProgramName.shown(error.advice)) + "\n"
        text =
            ErrorReport.isAskedFor
            ? ErrorReport(error).line
            : "ledger: error: \(Excerpt.escaped("\(error.place): \(error.cause)"))\n\(hint)"
    }

    /// Says that results could not be written, and which work was done nevertheless.
    init(_ error: OutputError) {
        text =
            ErrorReport.isAskedFor
            ? ErrorReport(error).line
            : "ledger: error: standard output: \(error.cause)\n\(error.afterword)"
    }

    /// Says that a request cannot be answered.
    init(_ error: RequestError) {
        text =
            ErrorReport.isAskedFor
            ? ErrorReport(error).line
            : "ledger: error: "
                + Excerpt.escaped("\(error.place): \(ProgramName.shown(error.message))")
                + ProgramName.shown("\nSee `ledger schema report-request`.\n")
    }

    /// Says that a command was not used as it should be.
    init(_ error: UsageError) {
        text =
            ErrorReport.isAskedFor
            ? ErrorReport(error).line
            : "ledger: error: \(Excerpt.escapedLines(error.text))\n"
    }

    /// Says that a command failed for a reason that no other error covers.
    init(unforeseen reason: String, _ command: NamedCommand) {
        text =
            ErrorReport.isAskedFor
            ? ErrorReport(unforeseen: reason, in: command).line
            : "ledger: error: \(Excerpt.escapedLines(reason))\n"
    }

    /// Says which trips of a period are in progress and left out of its sums, and what ends them.
    static func sayUnfinished(_ trips: UnfinishedTrips) {
        for trip in trips.first {
            let source = Excerpt.escaped(trip.source)
            say(
                "Trip \(trip.id.short) of \(source) goes on, and was not counted: "
                    + "`ledger stop --source \(source)` ends it.\n"
            )
        }
        let others = trips.count - trips.first.count
        guard others > 0 else { return }
        let rest = others == 1 ? "1 other goes on, and was" : "\(others) others go on, and were"
        say("\(rest) not counted: see `ledger status`.\n")
    }

    /// Says what is missing from the ledger's entries, where a result has no place for it.
    static func note(_ missing: MissingEntries) {
        let parts = [(missing.withheldCount, "withheld"), (missing.erasedCount, "erased")]
            .filter { $0.0 > 0 }
            .map { "\(Count.text($0.0, "entry", "entries")) \($0.1)" }
        guard !parts.isEmpty else { return }
        note("\(parts.joined(separator: ", ")): figures may lack them; see `ledger status`")
    }

    /// Says something that is worth knowing but not an error, such as why views are made anew.
    @Sendable static func note(_ sentence: String) {
        say("ledger: note: \(Excerpt.escaped(sentence)).\n")
    }

    /// Names the process that this one waits for, if the wait is long.
    static let waiting = WaitNotice { holder in
        let name = holder.name.isEmpty ? "" : " (\(Excerpt.escaped(holder.name)))"
        let cure =
            holder.isStopped
            ? "It is stopped: let it go on with `kill -CONT \(holder.identifier)`, or end it.\n"
            : ""
        say("Waiting for process \(holder.identifier)\(name), which is at work here.\n\(cure)")
    }

    /// Says sentences of this program, with commands that work as they stand.
    static func say(_ text: String) { write(ProgramName.shown(text)) }

    /// Writes a text to standard error, in lines that fit if that is a screen and it is for people.
    static func write(_ text: String) {
        let width = ErrorReport.isAskedFor ? nil : Terminal.errorColumnCount
        let shown = TextStyle.wrapped(ProgramName.leading(text), to: width)
        // An error while writing to standard error cannot be reported anywhere.
        _ = try? FileDescriptor.standardError.writeAll(shown.utf8)
    }
}

/// A number with its noun.
enum Count {
    /// Returns `1 entry` or `2 entries`.
    static func text(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
    /// Returns a number with a comma between thousands, such as `1,034`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        let groups = stride(from: digits.count, to: 0, by: -3)
            .map { String(digits[max(0, $0 - 3)..<$0]) }
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }
}
