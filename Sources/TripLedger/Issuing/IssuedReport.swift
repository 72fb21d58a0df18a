import Projections
import Rates
public import TripEvents

/// A report that was issued, as the log tells of it.
public struct IssuedReport: Hashable, Sendable {
    /// What people call it, such as `R1`.
    public let id: String

    /// What was issued, and what its bytes depend on.
    public let content: ReportIssued

    /// When it was issued.
    public let issuedAt: EventTime

    /// Who issued it; `nil` if the event names no person.
    public let actor: String?

    /// The entries that it was made from.
    public var head: LedgerHead {
        LedgerHead(size: content.treeSize, root: content.treeHash)
    }

    /// The only vehicle that it is about; `nil` for all.
    public var vehicle: String? { parameter("vehicle") }

    /// Returns an option of its command that has a value; `nil` for a flag, or if it was not given.
    package func parameter(_ name: String) -> String? {
        guard case .text(let text)? = content.parameters?[name] else { return nil }
        return text
    }

    /// Takes over what an event says; `nil` if it is about something else.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - identity: Its digest, whose first digits name a report that its sender did not name.
    init?(_ event: TripEvent, identity: IdentityDigest) {
        guard case .reportIssued(let content) = event.body else { return nil }
        id = event.id ?? String(ExpenseID(recordedBy: identity).description.prefix(8))
        self.content = content
        issuedAt = EventTime(event.occurredAt, utcOffset: event.utcOffset)
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
                .compactMap { IssuedReport($0.event, identity: $0.order.identity) }
        }
    }

    /// Returns the report that people call so, whatever the case of its letters.
    ///
    /// - Throws: `.notFound` if none is called so, `.ambiguous` if several are; `.damaged`,
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

    /// Appends that a report was handed out, under the next free number.
    ///
    /// - Parameters:
    ///   - content: What was handed out.
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
            let receipts = try append(
                [event],
                now: now.timestamp,
                mostSources: Self.mostSources
            )
            switch receipts.first {
            case .appended:
                let digest = IdentityDigest(words: [0, 0, 0, 0])
                guard let report = IssuedReport(event, identity: digest) else {
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
