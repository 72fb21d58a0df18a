import ArgumentParser
import Projections
import RowFormats
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
        try Output.standard.writing { output in
            switch format {
            case .json: try output.writeLine(json)
            case .text, .csv: try output.write(text)
            }
        }
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

    /// For people: the answer, what is wrong, what could not be told, what holds.
    var text: String {
        var text = headline + "\n"
        for finding in outcome.findings {
            let position = finding.position.map { "position \($0): " } ?? ""
            text += "  wrong    \(finding.subject.rawValue): \(position)"
            text += Excerpt.escaped(finding.what) + "\n"
        }
        let unkept = outcome.findingCount - UInt64(outcome.findings.count)
        if unkept > 0 { text += "  wrong    and \(unkept) more\n" }
        for doubt in outcome.doubts { text += "  unknown  \(Excerpt.escaped(doubt))\n" }
        for fact in outcome.facts {
            text += "  right    \(fact.subject.rawValue): \(Excerpt.escaped(fact.what))\n"
        }
        return text
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

    /// For programs (`verification.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("verdict", text: outcome.verdict.rawValue)
        json.add("finding_count", integer: Int64(outcome.findingCount))
        if let position = outcome.firstBadPosition {
            json.add("first_bad_position", integer: Int64(position))
        }
        json.add("findings", objects: outcome.findings.map(Self.json))
        json.add("could_not_tell", texts: outcome.doubts)
        json.add("confirmed", objects: outcome.facts.map(Self.json))
        return json
    }

    private static func json(_ finding: VerifyFinding) -> RowJSON {
        var json = RowJSON()
        json.add("subject", text: finding.subject.rawValue)
        if let position = finding.position { json.add("position", integer: Int64(position)) }
        json.add("what", text: finding.what)
        return json
    }

    private static func json(_ fact: VerifyFact) -> RowJSON {
        var json = RowJSON()
        json.add("subject", text: fact.subject.rawValue)
        json.add("what", text: fact.what)
        return json
    }
}
