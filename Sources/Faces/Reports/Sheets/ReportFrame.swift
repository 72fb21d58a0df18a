import Projections
import Proofs
package import Tables
package import TripEvents
package import TripLedger

/// The frame of a report: its days, its vehicle, and the entries of the log.
package struct ReportFrame: Tabular {
    /// The days that count.
    package let period: LocalPeriod

    /// The only vehicle that counts; `nil` for all.
    package let vehicle: String?

    /// The only driver that counts; `nil` for all.
    package let driver: String?

    /// The only group of sources that counts, or the owner's; `nil` for all.
    private let group: GroupSelection?

    /// The entries that the log lacks.
    package let missing: MissingEntries

    /// The head of the entries that it was made from; `nil` for a draft.
    package let head: LedgerHead?

    private let founding: LedgerCreated
    private let keeper: String?
    private let passedTo: Timestamp?

    /// Reads from a snapshot what a report is made of.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - period: The days that count.
    ///   - vehicle: The only vehicle that counts; `nil` for all.
    ///   - driver: The only driver that counts; `nil` for all.
    ///   - isDraft: Whether it names no root, for it is not to be handed over.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        _ snapshot: borrowing Snapshot,
        in period: LocalPeriod,
        vehicle: String? = nil,
        driver: String? = nil,
        isDraft: Bool = false
    ) throws {
        self.period = period
        self.vehicle = vehicle
        self.driver = driver
        group = snapshot.sight.selection
        founding = snapshot.founding
        keeper = snapshot.keeper
        head = isDraft ? nil : snapshot.head
        passedTo = try snapshot.latestEndByTime()
        missing = try snapshot.missingEntries()
    }

    /// The members that every report has.
    package static let columns = Columns<ReportFrame> {
        Column.day("first_day") { $0.period.from }
        Column.day("last_day") { $0.period.to }
        Column.text("group") { $0.group?.shownName }.optional
        Column.text("vehicle") { $0.vehicle }
        Column.text("time_zone") { $0.period.localDay.zone.name }
        Column.boolean("uses_own_offsets") { $0.period.localDay.usesOwnOffsets }
        Column.name("ledger") { $0.founding.ledger }
        Column.integer("size") { $0.head?.size }
        Column.name("root") { $0.head?.root }
        Column.instant("as_of") { $0.passedTo }
    }

    /// The facts about the subject of a report, for people.
    var subject: [ReportFact] {
        subject(
            with: (vehicle.map { [ReportFact(.vehicleLabel, .own($0))] } ?? [])
                + (driver.map { [ReportFact(.driverLabel, .own($0))] } ?? [])
        )
    }

    /// The same with facts about vehicles and drivers in place of the vehicle's name.
    func subject(with vehicles: [ReportFact]) -> [ReportFact] {
        [ReportFact(.period, period.phrase)]
            + (keeper.map { [ReportFact(.keptBy, .own($0))] } ?? [])
            + (group.map { [ReportFact(.groupLabel, $0.phrase)] } ?? []) + vehicles
    }

    /// The facts about the entries from which it was made, for people.
    func evidence(in unit: DistanceUnit) -> [ReportFact] {
        var facts = [
            ReportFact(.timeZone, .own(period.localDay.zone.words)),
            ReportFact(.unit, .own(unit.rawValue)), ReportFact(.ledger, .own(founding.ledger)),
        ]
        if let head {
            facts += [
                ReportFact(.entries, Phrase("\(head.size)")), ReportFact(.root, .own(head.root)),
            ]
        } else {
            facts.append(ReportFact(.draft, .notForHandingOver))
        }
        if let passedTo {
            facts.append(
                ReportFact(.asOf, .endedBySilence(period.localDay.local(EventTime(passedTo))))
            )
        }
        return facts
    }

    /// The facts above a report for people.
    func facts(in unit: DistanceUnit) -> [ReportFact] {
        subject + evidence(in: unit) + missing.reportFacts
    }

    /// The words at the foot of every page of a document.
    var foot: [Phrase] {
        guard let head else {
            return [.ledgerFoot(founding.ledger), .draftFoot]
        }
        return [.ledgerFoot(founding.ledger, entries: head.size), .rootFoot(head.root)]
            + (head.rootInNotes.map { [.codeFoot($0)] } ?? [])
    }
}

extension GroupSelection {
    /// The group as JSON has it: an empty text for the owner's.
    var shownName: String { group ?? "" }

    /// The group as people read it.
    fileprivate var phrase: Phrase { group.map { Phrase.own($0) } ?? .ownersGroup }
}

extension LedgerHead {
    /// The root as signed notes of C2SP have it, and so the QR code of a head: in base 64.
    package var rootInNotes: String? { Digest(hexadecimal: root).map { Base64.text($0.array) } }
}
