import ArgumentParser
package import LedgerKeeping
package import RowFormats
import TripEvents
import TripLedger

/// What a check came to, as `ledger verify` shows it.
struct VerificationPage {
    private let outcome: VerifyOutcome

    init(_ outcome: VerifyOutcome) {
        self.outcome = outcome
    }

    /// Writes the outcome as text or JSON.
    ///
    /// - Throws: `ExitCode` if it is not "verified".
    func show(as format: RowFormat) throws {
        try Output.show(outcome, as: format) { _ in text(width: Screen.columnCount) }
        guard outcome.verdict == .verified else { throw ExitCode(exitCode) }
    }

    /// 0 verified, 1 damaged, 2 could not tell.
    private var exitCode: Int32 {
        switch outcome.verdict {
        case .verified: 0
        case .damaged: 1
        case .couldNotTell: 2
        }
    }

    /// Writes it for people.
    ///
    /// - Parameter width: How many characters a line may have; `nil` for any number.
    /// - Returns: The answer, what is wrong, what could not be told, what holds.
    func text(width: Int?) -> String {
        var facts: [(label: String, fact: String)] = outcome.findings.map { finding in
            let position = finding.position.map { "position \($0): " } ?? ""
            let what = Excerpt.escaped(finding.what)
            return ("  wrong  ", "\(finding.subject.rawValue): \(position)\(what)")
        }
        let unkept = outcome.findingCount - UInt64(outcome.findings.count)
        if unkept > 0 { facts.append(("  wrong  ", "and \(unkept) more")) }
        facts += outcome.doubts.map { ("  unknown", Excerpt.escaped($0)) }
        facts += outcome.facts.map { fact in
            ("  right  ", "\(fact.subject.rawValue): \(Excerpt.escaped(fact.what))")
        }
        return headline + "\n" + FactSheet(facts).text(width: width)
    }

    private var headline: String {
        switch outcome.verdict {
        case .verified: return "VERIFIED"
        case .couldNotTell: return "COULD NOT TELL"
        case .damaged:
            let findings = Count.text(outcome.findingCount, "finding", "findings")
            let first = outcome.firstBadPosition.map { "; the first bad position is \($0)" } ?? ""
            return "CHANGED OR DAMAGED: \(findings)\(first)"
        }
    }
}

// MARK: For programs

extension VerifyOutcome: Tabular {
    /// What a check came to: `verification.v1.schema.json`.
    package static let columns = Columns<VerifyOutcome> {
        Column.name("verdict") { $0.verdict.rawValue }
        Column.integer("finding_count") { $0.findingCount }
        Column.integer("first_bad_position") { $0.firstBadPosition }.optional
        Column.rows("findings", VerifyFinding.columns) { $0.findings }
        Column.list("could_not_tell") { $0.doubts }
        Column.rows("confirmed", VerifyFact.columns) { $0.facts }
    }
}

extension VerifyFinding: Tabular {
    /// What is wrong.
    package static let columns = Columns<VerifyFinding> {
        Column.name("subject") { $0.subject.rawValue }
        Column.integer("position") { $0.position }.optional
        Column.text("what") { $0.what }
    }
}

extension VerifyFact: Tabular {
    /// What holds.
    package static let columns = Columns<VerifyFact> {
        Column.name("subject") { $0.subject.rawValue }
        Column.text("what") { $0.what }
    }
}
