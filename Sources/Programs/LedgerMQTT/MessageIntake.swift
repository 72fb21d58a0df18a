import Importers
import JSONText
import Platform
import ServerStore
import Synchronization
import TripEvents
import TripLedger

/// Stores messages in the ledger, each before it returns.
///
/// A message that cannot become an event is set aside with its reason, as at the doors of a server.
final class MessageIntake: Sendable {
    private struct State {
        /// The latest messages about motion, by the groups of tokens and then by source.
        var heard: [NameKey?: [NameKey: HeardMotion]] = [:]

        /// The sources of which it is known whether they need rules.
        var settled: Set<SourceKey> = []

        /// The last notices about rules whose messages do not become events, by their topics.
        var said: [NameKey: String] = [:]
        var repeats: RepeatBook
    }

    /// The name of this door for messages that are set aside and belong to none of the server's
    /// doors.
    static let door = "mqtt"

    private let ledger: Ledger
    private let store: ServerState
    private let settings: BrokerSettings
    private let state: Mutex<State>

    /// Prepares to store messages.
    ///
    /// - Throws: `LedgerError`.
    init(
        of ledger: Ledger,
        in store: ServerState,
        _ settings: BrokerSettings
    ) throws(LedgerError) {
        self.ledger = ledger
        self.store = store
        self.settings = settings
        state = Mutex(State(repeats: try RepeatBook(of: ledger)))
    }

    /// Looks at the tokens of all rules.
    ///
    /// - Returns: Notices about rules whose messages do not become events.
    /// - Throws: `SettingsProblem` if a token was never there, or if no rule is left that delivers;
    ///   `LedgerError`.
    func checkTokens() throws -> [String] {
        let tokens = try store.tokens()
        let now = WallClock.now
        let rules = try settings.taken.map { taken in
            guard let standing = TokenStanding(of: taken.token, among: tokens, at: now) else {
                throw SettingsProblem(
                    cause: "no token \(Excerpt.of(taken.token)) delivers: make one with `ledger "
                        + "token new \(ShellWord.quoted(taken.token)) --source NAME`"
                )
            }
            return (taken: taken, standing: standing)
        }
        guard rules.isEmpty || rules.contains(where: { $0.standing.fate == .events }) else {
            let causes = rules.map { rule in
                "\(rule.taken.topic.text): \(rule.standing.cause): \(rule.standing.remedy)"
            }
            throw SettingsProblem(
                cause: "no rule of \"take\" delivers any more; \(causes.joined(separator: "; "))"
            )
        }
        return rules.compactMap { news(of: $0.taken, $0.standing) }
    }

    /// Stores a message; it is durable when this returns.
    ///
    /// A message whose token was revoked or has expired is set aside, or thrown away if the token
    /// was revoked that way: the broker has one queue for all, and other messages must not wait
    /// behind it.
    ///
    /// - Returns: A notice about the rule, if its messages do not become events and that was not
    ///   reported yet.
    /// - Throws: `LedgerError` if it could not be stored; then it is to be handed over again.
    func take(_ message: BrokerMessage) throws(LedgerError) -> String? {
        // A retained message was handled when it first came.
        guard !message.isEcho,
            let taken = settings.taken.first(where: { $0.topic.fits(message.topic) })
        else { return nil }
        let now = WallClock.now
        guard let standing = TokenStanding(of: taken.token, among: try store.tokens(), at: now)
        else {
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "no token \(Excerpt.of(taken.token)) delivers",
                hint: "Make one: ledger token new \(ShellWord.quoted(taken.token)) --source NAME"
            )
        }
        switch standing.fate {
        case .events: try deliver(message, with: standing.token, by: taken)
        case .setAside: try keep(message, standing, taken, now)
        case .thrownAway: break
        }
        try store.noteDelivery(with: standing.token, now: now)
        return news(of: taken, standing)
    }

    /// Returns a notice about a rule, unless it is the same as the last one.
    private func news(of taken: BrokerSettings.Taken, _ standing: TokenStanding) -> String? {
        let notice = standing.notice(of: taken)
        let topic = NameKey(taken.topic.text)
        return state.withLock { state -> String? in
            guard state.said[topic] != notice else { return nil }
            state.said[topic] = notice
            return notice
        }
    }

    /// Stores a message with a valid token.
    private func deliver(
        _ message: BrokerMessage,
        with token: Token,
        by taken: BrokerSettings.Taken
    ) throws(LedgerError) {
        switch taken.form {
        case .owntracks:
            try deliver(DeliveredRequest(body: message.payload), with: token)
        case .columns:
            try take(message, with: token, by: taken)
        case .teslamate, .odometer:
            // An empty message carries no information about a car.
            guard !message.payload.isEmpty else { return }
            try take(message, with: token, as: CarMessage(message, taken))
        }
    }

    /// Sets aside a message whose token is not valid now, if it is not empty.
    private func keep(
        _ message: BrokerMessage,
        _ standing: TokenStanding,
        _ taken: BrokerSettings.Taken,
        _ now: Timestamp
    ) throws(LedgerError) {
        guard !message.payload.isEmpty else { return }
        switch taken.form {
        case .owntracks, .columns: break
        case .teslamate, .odometer:
            if case .nothing = CarMessage(message, taken) { return }
        }
        for item in standing.items(of: message, taken, now) {
            do throws(LedgerError) {
                try store.setAside([item])
                return
            } catch {
                // The second item pushes out older ones, so that other messages do not wait for
                // room.
                guard item.mayPassLater, error.code == .tooManySetAside else { throw error }
            }
        }
    }

    /// Stores a message of OwnTracks, as the server's door does.
    private func deliver(_ request: DeliveredRequest, with token: Token) throws(LedgerError) {
        let now = WallClock.now
        let group = token.group.map { NameKey($0) }
        let read = ReadDelivery(
            request,
            at: .owntracks,
            with: token,
            heard: state.withLock { $0.heard[group] ?? [:] },
            at: now
        )
        var aside = read.aside
        if !read.items.isEmpty {
            var delivery = Delivery(read.items, in: read.bytes)
            delivery.group = token.group
            let answer = try append(delivery, now)
            aside += read.setAside(of: read.items, after: answer)
        }
        if !aside.isEmpty { try store.setAside(aside) }
        state.withLock { state in
            state.heard[group, default: [:]].merge(read.heard) { $0.latest(beside: $1, now: now) }
        }
        if !read.items.isEmpty, read.heard.isEmpty { try adoptRules(for: token, now) }
    }

    /// Adopts rules for a source that has delivered positions, if it needs them: once in each run
    /// of this program.
    private func adoptRules(for token: Token, _ now: Timestamp) throws(LedgerError) {
        guard let source = token.sources.first else { return }
        let key = SourceKey(source, of: token.group)
        guard !state.withLock({ $0.settled.contains(key) }) else { return }
        let (isKnown, lacksRules) = try LedgerError.translating(at: ledger.path) {
            try ledger.read { snapshot in
                let isKnown = try snapshot.seesSource(named: source, of: token.group)
                return (isKnown, try isKnown ? snapshot.lacksRules(source: source) : false)
            }
        }
        if lacksRules {
            _ = try append(.adoptingRules(for: source, of: token.group, at: .owntracks), now)
        }
        // All that was delivered may have been set aside.
        if isKnown { state.withLock { _ = $0.settled.insert(key) } }
    }

    /// Stores a message that a map explains, as a table of one row.
    private func take(
        _ message: BrokerMessage,
        with token: Token,
        by taken: BrokerSettings.Taken
    ) throws(LedgerError) {
        let now = WallClock.now
        let zone = token.timeZone.flatMap { try? TimeZoneRules.ofMachine(named: $0) }
        var options = ImportOptions(
            source: token.sources.first ?? token.name,
            vehicle: taken.vehicle,
            zone: zone
        )
        options.columnMap = taken.map
        guard var importer = FileImporter(.csv, options: options) else { return }
        var batch = ImportBatch()
        let table = FlatTable.bytes(of: message.payload)
        importer.take(table.span, into: &batch)
        importer.finish(into: &batch)
        var items: [Delivery.Item] = []
        var reason: Rejection?
        for item in batch.items {
            switch item.outcome {
            case .event: items.append(Delivery.Item(.success(item.range)))
            case .rejected(let rejection): reason = reason ?? rejection
            case .ignored: continue
            }
        }
        if !items.isEmpty {
            var delivery = Delivery(items, in: batch.bytes)
            delivery.group = token.group
            let answer = try append(delivery, now)
            for line in answer.receipts {
                if case .rejected(let rejection) = line.receipt { reason = reason ?? rejection }
            }
        }
        if let reason { try setAside(message, with: token, because: reason, now) }
    }

    private func append(
        _ delivery: Delivery,
        _ now: Timestamp
    ) throws(LedgerError) -> DeliveryAnswer {
        for outcome in ledger.append([delivery], now: now) { return try outcome.get() }
        preconditionFailure("each delivery is answered")
    }

    /// Stores a message of a car, which has no time: its time is that of arrival.
    private func take(
        _ message: BrokerMessage,
        with token: Token,
        as said: CarMessage
    ) throws(LedgerError) {
        let now = WallClock.now
        switch said {
        case .nothing: return
        case .unreadable(let sentence):
            try setAside(
                message,
                with: token,
                because: .init(.invalidValue, sentence: sentence),
                now
            )
        case .event(let body):
            let time = try state.withLock { state throws(LedgerError) in
                try state.repeats.time(of: message, now: now)
            }
            let event = TripEvent(
                source: token.sources.first ?? token.name,
                group: token.group,
                occurredAt: time,
                body: body
            )
            let receipts = try ledger.append([event], now: now)
            for case .rejected(let rejection) in receipts {
                try setAside(message, with: token, because: rejection, now)
            }
        }
    }

    private func setAside(
        _ message: BrokerMessage,
        with token: Token,
        because rejection: Rejection,
        _ now: Timestamp
    ) throws(LedgerError) {
        let item = SetAsideItem(
            message.payload,
            door: Self.door,
            source: token.sources.first ?? token.name,
            token: token.name,
            group: token.group,
            code: rejection.code.rawValue,
            reason: rejection.sentence,
            mayPassLater: false,
            receivedAt: now
        )
        try store.setAside([item])
    }
}

/// A flat JSON object as a table of one row; anything else stays as it is.
enum FlatTable {
    /// Returns the bytes of a table.
    static func bytes(of payload: [UInt8]) -> [UInt8] {
        guard case .object(let members)? = try? JSONValue(payload.span) else { return payload }
        let cells = members.compactMap { member in
            text(of: member.value).map { (name: member.name, text: $0) }
        }
        let names = cells.map { quoted($0.name) }.joined(separator: ",")
        let row = cells.map { quoted($0.text) }.joined(separator: ",")
        return Array("\(names)\n\(row)\n".utf8)
    }

    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .text(let text): text
        case .number(let literal): literal
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .null: ""
        case .list, .object: nil
        }
    }

    private static func quoted(_ text: String) -> String {
        "\""
            + text.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}
