import EventStore
import Projections
import Proofs
import Rates
public import TripEvents

/// A report that was issued, as the log tells of it.
public struct IssuedReport: Hashable, Sendable {
    /// The name that people use, such as `R1`.
    public let id: String

    /// The report that was issued, with all that its bytes depend on.
    public let content: ReportIssued

    /// When the ledger stored that it was issued.
    public let issuedAt: EventTime

    /// Who issued it; `nil` if the event names no person.
    public let actor: String?

    /// The entries that it was made from.
    public var head: LedgerHead {
        LedgerHead(size: content.treeSize, root: content.treeHash)
    }

    /// The only vehicle that it is about; `nil` for all.
    public var vehicle: String? { parameter(.vehicle) }

    /// The only group of sources that it is about, or the owner's; `nil` for all.
    public var group: GroupSelection? {
        content.parameters?[ReportParameter.group.rawValue]
            .map { _ in GroupSelection(parameter(.group)) }
    }

    /// Returns the request that it answers.
    ///
    /// - Throws: ``ReportProblem`` if this program does not know all that it says: nothing of it is
    ///   guessed.
    public func request() throws(ReportProblem) -> ReportRequest {
        try ReportRequest(of: content)
    }

    /// Returns a text of its request, whatever the version of that; `nil` if there is none.
    package func parameter(_ parameter: ReportParameter) -> String? {
        guard case .text(let text)? = content.parameters?[parameter.rawValue] else { return nil }
        return text
    }

    /// Takes over what a decision says; `nil` if it is about something else.
    init?(_ decision: Decision) {
        self.init(
            decision.event,
            identity: decision.order.identity,
            recordedAt: decision.recordedAt
        )
    }

    /// Takes over what an event says; `nil` if it is about something else.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - identity: Its digest, whose first digits name a report that its sender did not name.
    ///   - recordedAt: When the ledger stored it.
    init?(_ event: TripEvent, identity: IdentityDigest, recordedAt: Timestamp) {
        guard case .reportIssued(let content) = event.body else { return nil }
        id = event.id ?? String(ExpenseID(recordedBy: identity).description.prefix(8))
        self.content = content
        issuedAt = EventTime(recordedAt, utcOffset: event.utcOffset)
        actor = event.actor
    }

    /// The letter before the numbers that the ledger gives to reports.
    static let prefix = "R"

    /// The number that the ledger gave it; `nil` if it was issued otherwise.
    var number: UInt64? { id.hasPrefix(Self.prefix) ? UInt64(id.dropFirst()) : nil }
}

extension Snapshot {
    /// Returns the reports that were issued, first what was issued first.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func issuedReports() throws(LedgerError) -> [IssuedReport] {
        try asking {
            try TripBook(over: store).decisions(on: .reports).sorted()
                .compactMap { IssuedReport($0) }
        }
    }

    /// Returns the report of that name; upper and lower case are the same.
    ///
    /// - Throws: `.notFound` if none has the name, `.ambiguous` if several have; `.damaged`,
    ///   `.inputOutput`.
    public func issuedReport(_ id: String) throws(LedgerError) -> IssuedReport {
        let all = try issuedReports()
        let found = all.filter { $0.id == id.uppercased() || $0.id == id }
        guard found.count <= 1 else {
            throw LedgerError(
                .ambiguous,
                at: path.string,
                cause: "\(found.count) issued reports are called \(Excerpt.escaped(id))",
                hint: "`ledger report issued` lists them"
            )
        }
        guard let report = found.first else {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "no report \(Excerpt.escaped(id)) was issued",
                hint: all.isEmpty
                    ? "Issue one with --issue, as in `ledger report log --year 2025 --issue`"
                    : "`ledger report issued` lists them"
            )
        }
        return report
    }
}

extension Ledger {
    /// How often a number is tried anew because others took it in between.
    private static let numberAttempts = 100

    /// Appends an event that says that a report was handed out, under the next free number.
    ///
    /// - Parameters:
    ///   - content: The report that was handed out.
    ///   - actor: Who handed it out, 1 … 200 bytes.
    ///   - now: When.
    /// - Returns: The report with its name.
    /// - Throws: `.unreadableInput` if the event cannot be stored, `.damaged`, `.inputOutput`.
    public func issue(
        _ content: ReportIssued,
        by actor: String? = nil,
        now: EventTime
    ) throws(LedgerError) -> IssuedReport {
        let known = try reading { try $0.issuedReports() }.compactMap(\.number).max() ?? 0
        for number in known + 1...known + UInt64(Self.numberAttempts) {
            let event = TripEvent(
                source: Self.decisionSource,
                occurredAt: now.timestamp,
                utcOffset: now.utcOffset,
                id: "\(IssuedReport.prefix)\(number)",
                actor: actor,
                body: .reportIssued(content)
            )
            switch try append(own: event, now: now.timestamp) {
            case .appended:
                // The event has an id, so that its digest names nothing.
                let digest = IdentityDigest(words: [0, 0, 0, 0])
                guard
                    let report = IssuedReport(event, identity: digest, recordedAt: now.timestamp)
                else {
                    preconditionFailure("the event is of another type")
                }
                return report
            case .rejected(let rejection):
                throw LedgerError(
                    .unreadableInput,
                    at: path.string,
                    cause: "the report cannot be issued: \(rejection.sentence)"
                )
            case .conflict, .duplicate, .heldBack, .passedOver, nil:
                // Another program issued a report under this number, or the report under it was
                // erased.
                continue
            }
        }
        throw LedgerError(
            .inputOutput,
            at: path.string,
            cause: "other programs took every number that was tried",
            hint: "Issue the report again"
        )
    }
}

extension ReportIssued {
    /// Creates the content of the event that a report was handed out.
    ///
    /// - Parameters:
    ///   - request: The request that it answers, with every parameter on which its bytes depend.
    ///   - days: Its days.
    ///   - outputHash: The SHA-256 of its bytes, in 64 hexadecimal digits.
    ///   - head: The entries that it was made from.
    package init(
        _ request: ReportRequest,
        on days: ClosedRange<CivilDate>,
        outputHash: String,
        head: LedgerHead
    ) {
        self.init(
            report: request.kind.rawValue,
            periodStart: days.lowerBound,
            periodEnd: days.upperBound,
            parameters: request.storedParameters,
            outputHash: outputHash,
            treeSize: head.size,
            treeHash: head.root
        )
    }
}

/// The reports that were issued about some days, and which decisions were stored after them.
public struct ReportsOfDays: Sendable {
    /// The reports, first what was issued first.
    public let reports: [IssuedReport]

    /// The positions of the decisions that were stored after the first of the reports was made.
    private let positions: [IdentityDigest: UInt64]

    /// Creates a list of reports.
    ///
    /// - Parameters:
    ///   - reports: The reports, in the order in which they were issued.
    ///   - positions: The positions of later decisions, by the identity digests of their events.
    init(_ reports: [IssuedReport], positions: [IdentityDigest: UInt64]) {
        self.reports = reports
        self.positions = positions
    }

    /// Returns whether a change was stored after the entries that a report was made from.
    public func isLater(_ line: AuditLine, than report: IssuedReport) -> Bool {
        positions[line.order.identity].map { $0 >= report.head.size } ?? false
    }
}

extension Snapshot {
    /// Returns the reports that were issued about some days, whatever the time zone in which they
    /// count, and about the group that was selected, if one was.
    ///
    /// - Parameters:
    ///   - period: The days; a report is about them if one of them is one of its own.
    ///   - vehicle: The only vehicle of interest, or that of reports about one; `nil` for all.
    /// - Returns: The reports, with the decisions after them.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func reports(
        about period: LocalPeriod,
        vehicle: String? = nil
    ) throws(LedgerError) -> ReportsOfDays {
        let reports = try issuedReports()
            .filter { report in
                (period.from.map { report.content.periodEnd >= $0 } ?? true)
                    && (period.to.map { report.content.periodStart <= $0 } ?? true)
                    && (vehicle == nil || report.vehicle == nil || report.vehicle == vehicle)
                    && isAbout(report, store.sight.selection)
            }
        guard let first = reports.map(\.head.size).min(), first < head.size else {
            return ReportsOfDays(reports, positions: [:])
        }
        return try asking {
            var positions: [IdentityDigest: UInt64] = [:]
            var names = SourceNames(log)
            try log.eachEntry(in: first..<head.size) { entry, position in
                // Most entries of a log are fixes, and fixes decide nothing.
                guard entry.kind != EventKind.fixRecorded.rawValue else { return }
                let source = try names.source(of: entry.source, at: position)
                let stored = try StoredEvent(entry, at: position, source: source)
                positions[stored.identity] = position
            }
            return ReportsOfDays(reports, positions: positions)
        }
    }

    /// Returns whether a report is about a group, or about all that there are.
    private func isAbout(_ report: IssuedReport, _ selection: GroupSelection?) -> Bool {
        guard let selection, let group = report.group else { return true }
        return selection.includes(group.group)
    }
}

/// Why a report that is made again is not the one that was issued.
public enum ReissueDifference: Hashable, Sendable {
    /// The log does not begin with the entries that the report was made from.
    case otherEntries

    /// Entries that it was made from were erased since: so many, at these positions.
    case erased(count: UInt64, positions: String)

    /// Entries that it was made from were withheld from this copy of the log.
    case withheld(count: UInt64, positions: String)

    /// Another version of the program made it; `nil` if it is not known which.
    case otherProgram(String?)

    /// The content is the same, but it was printed with other fonts, or by another ledger-print.
    case otherFonts

    /// The same entries, rates and program give other bytes.
    case otherMachine

    /// The reason as a sentence without a full stop.
    public var sentence: String {
        switch self {
        case .otherEntries:
            "the log does not begin with the entries that it was made from"
        case .erased(let count, let positions):
            "of the entries that it was made from, \(count) were erased since (\(positions))"
        case .withheld(let count, let positions):
            "of the entries that it was made from, \(count) were withheld from this copy "
                + "(\(positions))"
        case .otherProgram(let version?):
            "version \(version) of ledger made it, and this one makes it otherwise"
        case .otherProgram(nil):
            "it is not known which version of ledger made it"
        case .otherFonts:
            "what it says is the same, word by word, but the fonts of this machine or its "
                + "ledger-print are not those of then"
        case .otherMachine:
            "the entries, the rates and the version of ledger are the same: what this machine "
                + "knows of time zones may be other than it was"
        }
    }
}

extension Snapshot {
    /// Returns why a report is not made again as it was issued.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - program: The version of this program.
    /// - Returns: The reasons; at least one.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func differences(
        fromIssued report: IssuedReport,
        madeBy program: String
    ) throws(LedgerError) -> [ReissueDifference] {
        try asking {
            let size = report.head.size
            guard try beginsWith(report.head) else { return [.otherEntries] }
            var reasons: [ReissueDifference] = []
            let erased = FirstRanges(
                try erasedPositions(recordedFrom: size).intersection(RangeSet([0..<size]))
            )
            if erased.count > 0 {
                reasons.append(.erased(count: erased.count, positions: erased.text))
            }
            var withheld = FirstRanges()
            if try log.withheldCount() > 0 {
                try log.eachEntry(in: 0..<size) { entry, position in
                    if entry.isWithheld { withheld.append(position) }
                }
            }
            if withheld.count > 0 {
                reasons.append(.withheld(count: withheld.count, positions: withheld.text))
            }
            if report.content.programVersion != program {
                reasons.append(.otherProgram(report.content.programVersion))
            }
            return reasons.isEmpty ? [.otherMachine] : reasons
        }
    }

    /// Returns whether the log begins with the entries of a head.
    func beginsWith(_ head: LedgerHead) throws -> Bool {
        guard head.size <= self.head.size else { return false }
        return try LogTree(log).root(atSize: head.size).description == head.root
    }
}
