import Projections
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
            try BookRows(over: store).decisions(on: .reports).sorted()
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
                // Another program issued under this number, or what was issued so was erased.
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
