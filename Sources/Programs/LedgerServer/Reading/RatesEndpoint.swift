import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import Platform
import Rates
import ServerStore
import Tables
import TripEvents
import TripLedger

/// Lists the rates and the rules that the ledger uses, and sets the owner's own rates.
struct RatesEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The writer of decisions.
    let writer: EventWriter

    /// The members that the body of a rate may have.
    private static let members = [
        BodyMember("name", .matching("[a-z0-9_.-]{1,64}"), isRequired: true),
        BodyMember(
            "rate",
            .matching(#"(0|[1-9][0-9]{0,3})(\.[0-9]{1,6})?"#),
            isRequired: true
        ),
        BodyMember("per", .word(DistanceUnit.allCases.map(\.rawValue)), isRequired: true),
        BodyMember("currency", .matching("[A-Z]{3}"), isRequired: true),
        BodyMember("from", .day, isRequired: true), BodyMember("to", .day),
        BodyMember("class", .word(TripClass.allCases.map(\.rawValue))),
    ]

    private static let jurisdiction = Parameter(
        "jurisdiction",
        .text,
        "Only this one, such as gb, or a name of your own"
    )

    private static let day = Parameter("on", .day, "Only rates that hold on this day")

    private static let own = Parameter(
        "own",
        .word(["yes"]),
        "Only rates that a person or a company set for itself"
    )

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/rates",
                "Rates with the days on which they hold: those of the program, and your own",
                [Self.jurisdiction, Self.day, Self.own, .cursor, .longLimit, .atLeast],
                as: .page(of: "rate"),
                list
            ),
            Route(
                .post,
                "/v1/rates",
                "Sets a rate of your own, such as what a company pays",
                taking: BodyForm(kinds: [("application/json", [])], members: Self.members),
                as: .object("decisions-answer"),
                for: [.admin],
                set
            ),
            Route(
                .get,
                "/v1/rules",
                "The rules by which positions become trips, for each source and for new ones",
                [.cursor, .longLimit, .atLeast],
                as: .page(of: "rules"),
                rules
            ),
        ]
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let jurisdiction = call.query.text(Self.jurisdiction.name)?.lowercased()
        let day = call.query.text(Self.day.name).flatMap { CivilDate($0) }
        let isOwn = call.query.text(Self.own.name) != nil
        return try await reader.page(call, of: ListedRate.columns) { snapshot in
            let rates = ListedRate.all(
                of: RateBook(try snapshot.rates().tables),
                jurisdiction: jurisdiction,
                on: day,
                setByHand: isOwn
            )
            // A rate that was announced retroactively has two stretches.
            let numbered = rates.enumerated().map { $0 }
            let page = try ListPage(of: numbered, call.query) { "\($0.offset)" }
            return (page.rows.map(\.element), page.next)
        }
    }

    private func rules(_ call: Call) async throws(Problem) -> Response {
        try await reader.page(call, of: SourceRules.columns) { snapshot in
            let page = try ListPage(of: try snapshot.rulesInForce(), call.query) {
                $0.source ?? ""
            }
            return (page.rows, page.next)
        }
    }

    private func set(_ call: Call) async throws(Problem) -> Response {
        let said = try await TextMembers(of: call, Self.members.names)
        let (name, own) = try Self.rate(said)
        let (old, clock) = try await reader.read(seenBy: call.sight) { snapshot in
            let tables = try snapshot.rates().tables
            return (tables.first { $0.name.hasSameBytes(as: name) }, snapshot.clock)
        }
        let table: RateTable
        do throws(RateProblem) {
            table = try own.table(after: old)
        } catch {
            throw .invalidParameter("rate", "one that can be set: \(error.description)")
        }
        if let cause = LoadedRates.mistakable(table) {
            throw .invalidParameter("name", "another one: \(cause)")
        }
        let request = DecisionRequest(.loadRates(table.loading()))
        try call.access.require(toDecide: request)
        let (outcomes, head) = try await writer.decide(
            AskedDecisions(requests: [request], by: call.access)
        )
        if case .rejected(let rejection)? = outcomes.first?.receipt {
            throw .refused(rejection, 0)
        }
        var bytes: [UInt8] = []
        DecisionAnswer.append(
            outcomes.map { DecisionAnswer($0, toReader: true) },
            at: head,
            to: &bytes,
            by: clock
        )
        return reader.response(bytes, at: head.size)
    }

    /// Reads a rate, with its name.
    private static func rate(_ said: TextMembers) throws(Problem) -> (String, OwnRate) {
        let name = try said.require("name")
        guard let rate = ExactDecimal(literal: try said.require("rate")) else {
            throw .invalidParameter("rate", "a number such as 0.35")
        }
        guard let unit = DistanceUnit(rawValue: try said.require("per")) else {
            let all = DistanceUnit.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter("per", "one of \(all)")
        }
        guard let from = CivilDate(try said.require("from")) else {
            throw .invalidParameter("from", "a day such as 2026-01-01")
        }
        let to = said["to"].flatMap { CivilDate($0) }
        guard said["to"] == nil || to.map({ from <= $0 }) == true else {
            throw .invalidParameter("to", "a day such as 2026-12-31, not before the first one")
        }
        guard let tripClass = TripClass(rawValue: said["class"] ?? TripClass.business.rawValue)
        else {
            let all = TripClass.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter("class", "one of \(all)")
        }
        let own = OwnRate(
            name: name,
            rate: rate,
            unit: unit,
            currency: try said.require("currency"),
            classes: [tripClass],
            from: from,
            to: to,
            knownFrom: from
        )
        return (name, own)
    }
}
