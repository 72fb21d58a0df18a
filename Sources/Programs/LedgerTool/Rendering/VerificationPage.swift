import ArgumentParser
package import LedgerKeeping
package import Tables
import TripEvents
import TripLedger

/// The outcome of a check, as `ledger verify` shows it.
struct VerificationPage {
    private let outcome: VerifyOutcome

    init(_ outcome: VerifyOutcome) {
        self.outcome = outcome
    }

    /// Writes the outcome as text or JSON.
    ///
    /// - Throws: `ExitCode` if it is neither verified nor sound.
    func show(as format: RowFormat) throws {
        try Output.show(outcome, as: format) { _ in text(width: Screen.columnCount) }
        guard exitCode == 0 else { throw ExitCode(exitCode) }
    }

    /// 0 verified or sound, 1 damaged, 2 could not tell or vouched for by nothing.
    private var exitCode: Int32 {
        switch outcome.verdict {
        case .verified, .sound: 0
        case .damaged: 1
        case .couldNotTell, .consistent: 2
        }
    }

    /// Writes it for people.
    ///
    /// - Parameter width: How many characters a line may have; `nil` for any number.
    /// - Returns: The answer, what is wrong, what could not be told, what is only claimed, and
    ///   what holds.
    func text(width: Int?) -> String {
        var facts: [(label: String, fact: String)] = outcome.findings.map { finding in
            let what = Excerpt.escaped(ProgramName.shown(finding.sentence))
            return ("  wrong  ", "\(finding.subject.rawValue): \(what)")
        }
        let unkept = outcome.findingCount - UInt64(outcome.findings.count)
        if unkept > 0 { facts.append(("  wrong  ", "and \(unkept) more")) }
        facts += outcome.doubts.map { ("  unknown", Excerpt.escaped(ProgramName.shown($0))) }
        facts += outcome.ownRates.map { ("  own    ", "rates: " + Excerpt.escaped($0.sentence)) }
        facts += outcome.claims.map { ("  claimed", Excerpt.escaped($0)) }
        facts += outcome.facts.map { fact in
            ("  right  ", "\(fact.subject.rawValue): \(Excerpt.escaped(fact.what))")
        }
        return headline + "\n" + FactSheet(facts).text(width: width)
    }

    private var headline: String {
        switch outcome.verdict {
        case .verified: return "VERIFIED" + ownRates + prints
        case .sound: return "SOUND"
        case .consistent:
            return
                "CONSISTENT\(ownRates), and nobody vouches for it: give the head from the paper, "
                + "or --key"
        case .couldNotTell: return "COULD NOT TELL" + ownRates
        case .damaged:
            let findings = Count.text(outcome.findingCount, "finding", "findings")
            let first = outcome.firstBadPosition.map { "; the first bad position is \($0)" } ?? ""
            return "CHANGED OR DAMAGED: \(findings)\(first)"
        }
    }

    /// Says that nothing vouches for the prints of a bundle, whatever vouches for the rest.
    private var prints: String {
        guard outcome.unvouchedPrints > 0 else { return "" }
        let files = Count.text(outcome.unvouchedPrints, "file", "files")
        return ", but for \(files) in prints/: read reports/ instead, or give --key"
    }

    /// Says that a claim uses the owner's own rates; every answer includes this.
    private var ownRates: String {
        guard !outcome.ownRates.isEmpty else { return "" }
        let count = outcome.ownRates.count
        return ", by \(Count.text(count, "rate", "rates")) of the owner's own"
    }
}

// MARK: For programs

extension VerifyOutcome: Tabular {
    /// The outcome of a check: `verification.v1.schema.json`.
    package static let columns = Columns<VerifyOutcome> {
        Column.name("verdict") { $0.verdict.rawValue }
        Column.name("vouched_by") { $0.vouchedBy?.rawValue }
        Column.integer("finding_count") { $0.findingCount }
        Column.integer("first_bad_position") { $0.firstBadPosition }.optional
        Column.rows("findings", VerifyFinding.columns) { $0.findings }
        Column.list("could_not_tell") { $0.doubts }
        Column.rows("own_rates", LedgersOwnRate.columns) { $0.ownRates }
        Column.list("claimed") { $0.claims }
        Column.rows("confirmed", VerifyFact.columns) { $0.facts }
    }
}

extension VerifyFinding: Tabular {
    /// The findings.
    package static let columns = Columns<VerifyFinding> {
        Column.name("subject") { $0.subject.rawValue }
        Column.integer("position") { $0.position }.optional
        Column.text("what") { $0.what }
    }
}

extension LedgersOwnRate: Tabular {
    /// The rates of a claim that only the ledger has.
    package static let columns = Columns<LedgersOwnRate> {
        Column.text("id") { $0.id }
        Column.text("table") { $0.table }
        Column.text("jurisdiction") { $0.jurisdiction }
        Column.text("authority") { $0.authority }
        Column.text("pays") { $0.pays }
        Column.text("official_id") { $0.official?.id }
        Column.text("official_pays") { $0.official?.pays }
    }
}

extension VerifyFact: Tabular {
    /// The facts.
    package static let columns = Columns<VerifyFact> {
        Column.name("subject") { $0.subject.rawValue }
        Column.text("what") { $0.what }
    }
}
