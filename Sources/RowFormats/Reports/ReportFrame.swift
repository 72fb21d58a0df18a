import Projections
import Proofs
import Reports
package import TripEvents
package import TripLedger

/// What a report was made of: its days, its vehicle, and the entries of the log.
package struct ReportFrame: Tabular {
    /// The days that count.
    package let period: LocalPeriod

    /// The only vehicle that counts; `nil` for all.
    package let vehicle: String?

    /// What the log lacks.
    package let missing: MissingEntries

    /// The head of the entries that it was made from; `nil` for a draft.
    package let head: LedgerHead?

    private let founding: LedgerCreated
    private let passedTo: Timestamp?

    /// Reads from a snapshot what a report is made of.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - period: The days that count.
    ///   - vehicle: The only vehicle that counts; `nil` for all.
    ///   - isDraft: Whether it names no root, for it is not to be handed over.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        in period: LocalPeriod,
        vehicle: String? = nil,
        isDraft: Bool = false
    ) throws {
        self.period = period
        self.vehicle = vehicle
        founding = snapshot.founding
        head = isDraft ? nil : snapshot.head
        passedTo = try snapshot.latestEndByTime()
        missing = try snapshot.missingEntries()
    }

    /// The members that every report has.
    package static let columns = Columns<ReportFrame> {
        Column.day("first_day") { $0.period.from }
        Column.day("last_day") { $0.period.to }
        Column.text("vehicle") { $0.vehicle }
        Column.text("time_zone") { $0.period.localDay.zone.name }
        Column.boolean("uses_own_offsets") { $0.period.localDay.usesOwnOffsets }
        Column.name("ledger") { $0.founding.ledger }
        Column.integer("size") { $0.head?.size }
        Column.name("root") { $0.head?.root }
        Column.instant("as_of") { $0.passedTo }
    }

    /// What a report is about, for people.
    package var subject: [(label: String, fact: String)] {
        [("Period", period.text)] + (vehicle.map { [("Vehicle", Excerpt.escaped($0))] } ?? [])
    }

    /// What it was made from, for people.
    package func evidence(in unit: DistanceUnit) -> [(label: String, fact: String)] {
        var facts = [
            ("Time zone", Excerpt.escaped(period.localDay.zone.name)), ("Unit", unit.rawValue),
            ("Ledger", founding.ledger),
        ]
        if let head {
            facts += [("Entries", String(head.size)), ("Root", head.root)]
        } else {
            facts.append(
                ("Draft", "not for handing over; made without --draft it names its entries")
            )
        }
        if let passedTo {
            let time = period.localDay.local(EventTime(passedTo))
            facts.append(("As of", RFC3339.text(time.timestamp, utcOffset: time.utcOffset)))
        }
        return facts
    }

    /// What stands above a report for people.
    package func facts(in unit: DistanceUnit) -> [(label: String, fact: String)] {
        subject + evidence(in: unit) + missing.facts
    }

    /// What stands on every page of a document.
    var foot: [String] {
        guard let head else {
            return ["Ledger \(founding.ledger)", "Draft, not for handing over"]
        }
        let code = head.rootInNotes.map { ["In the code: \($0)"] } ?? []
        return ["Ledger \(founding.ledger) · \(head.size) entries", "Root \(head.root)"] + code
    }
}

extension LedgerHead {
    /// The root as signed notes of C2SP have it, and so the QR code of a head: in base 64.
    package var rootInNotes: String? { Digest(hexadecimal: root).map { Base64.text($0.array) } }
}

extension LocalPeriod {
    /// The days in words.
    package var text: String {
        switch (from, to) {
        case (nil, nil): "all days"
        case (let from?, nil): "from \(from)"
        case (nil, let to?): "until \(to)"
        case (let from?, let to?): "\(from) to \(to)"
        }
    }
}
