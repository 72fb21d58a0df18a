import Projections
package import Proofs
package import ServerStore
import TripEvents
package import TripLedger

/// The description that a ledger gives of itself to one that wants to exchange events with it
/// (`sync.v1.schema.json`).
package struct SyncGreeting: Hashable, Sendable {
    /// The most bytes of the lines of one page, but for the last line.
    package static let mostBytes = 4 << 20

    /// The ledger's id.
    package var ledger: String

    /// How it computes.
    package var settings: SyncSettings

    /// Its log.
    package var head: LedgerHead

    /// How far it has received the log of the one that asks; `nil` if not at all.
    package var fromYou: PeerCursor?

    /// The proof that its log begins with the head that the one that asks has seen before.
    package var consistency: [Digest] = []

    /// How many digits the id of a ledger has.
    package static let idLength = 32

    /// Returns whether a text is the id of a ledger: so many of 0–9 and a–f.
    package static func isLedgerID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == idLength
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    /// Creates a greeting.
    package init(ledger: String, settings: SyncSettings, head: LedgerHead) {
        self.ledger = ledger
        self.settings = settings
        self.head = head
    }

    /// The greeting as a JSON object.
    package var json: [UInt8] {
        var json = RowJSON()
        json.add("ledger", text: ledger)
        json.add("time_zone", text: settings.timeZone)
        json.add("units", text: settings.units)
        json.add("rules", text: settings.rules)
        json.add("size", integer: Int64(clamping: head.size))
        json.add("root", text: head.root)
        if !consistency.isEmpty { json.add("consistency", texts: consistency.map(\.description)) }
        if let fromYou {
            var cursor = RowJSON()
            cursor.add("until", integer: Int64(clamping: fromYou.until))
            cursor.add("size", integer: Int64(clamping: fromYou.head.size))
            cursor.add("root", text: fromYou.head.root)
            json.add("from_you", object: cursor.object)
        }
        return json.object
    }

    /// Reads a greeting.
    ///
    /// - Throws: `SyncRefusal.malformed` if it is not one.
    package init(_ bytes: [UInt8]) throws(SyncRefusal) {
        guard let json = try? JSONValue(bytes.span),
            let ledger = json["ledger"]?.text, let timeZone = json["time_zone"]?.text,
            let units = json["units"]?.text, let rules = json["rules"]?.text,
            let head = LedgerHead(syncing: json)
        else { throw .malformed("the answer is not that of a ledger") }
        guard Self.isLedgerID(ledger) else {
            throw .malformed("what it calls its id is not one that a ledger has")
        }
        self.init(
            ledger: ledger,
            settings: SyncSettings(timeZone: timeZone, units: units, rules: rules),
            head: head
        )
        consistency = (json["consistency"]?.texts ?? []).compactMap { Digest(hexadecimal: $0) }
        if let cursor = json["from_you"] {
            guard let until = cursor["until"]?.number, let head = LedgerHead(syncing: cursor) else {
                throw .malformed("the answer does not say how far this log was received")
            }
            fromYou = PeerCursor(until: until, head: head, ownHead: self.head)
        }
    }
}

/// The settings that two ledgers must share, or else they compute different trips from the same
/// events.
package struct SyncSettings: Hashable, Sendable {
    /// The time zone of reports, an IANA name.
    package var timeZone: String

    /// The unit of reports.
    package var units: String

    /// The tracking rules from the start.
    package var rules: String

    /// Creates settings.
    package init(timeZone: String, units: String, rules: String) {
        self.timeZone = timeZone
        self.units = units
        self.rules = rules
    }

    /// Takes over those of a ledger.
    package init(of ledger: Ledger) {
        self.init(
            timeZone: ledger.founding.timeZone,
            units: ledger.founding.units.rawValue,
            rules: ledger.founding.rulesVersion
        )
    }

    /// Returns the names of the members in which they differ from others.
    package func difference(from other: SyncSettings) -> [String] {
        [
            timeZone == other.timeZone ? nil : "time_zone",
            units == other.units ? nil : "units",
            rules == other.rules ? nil : "rules",
        ]
        .compactMap(\.self)
    }
}

/// A conflict over a token: a ledger asks with it, and it belongs to another ledger or to none.
package struct TokenDispute: Hashable, Sendable {
    /// The name of the token.
    package var token: String

    /// The id of the ledger that asks.
    package var asking: String

    /// The id of the ledger that the token belongs to; `nil` if it belongs to none, and the ledger
    /// that asks has another token.
    package var owner: String?

    /// Creates a dispute.
    package init(token: String, asking: String, owner: String?) {
        self.token = token
        self.asking = asking
        self.owner = owner
    }

    /// What is the matter, in a sentence without a full stop.
    package var cause: String {
        let token = Excerpt.escaped(token)
        return owner.map { "the token \(token) is that of ledger \($0), and ledger \(asking) asks" }
            ?? "ledger \(asking) asks with the token \(token), and has another token already"
    }

    /// What the owner of the ledger that is asked can do, in a sentence without a full stop.
    package var hint: String {
        let word = Excerpt.escaped(ShellWord.quoted(token))
        let change = "`ledger token change \(word) --ledger \(asking)`"
        return owner == nil
            ? "Use that token; or, if that one is to have this one, say \(change) there"
            : "Make a token of its own for each ledger; or, if that one has taken the place of "
                + "the other, say \(change) there"
    }
}

/// A source that belongs to one group in the ledger that sends its events, and to another one in
/// the ledger that receives them.
package struct GroupDifference: Hashable, Sendable {
    /// The name of the source.
    package var source: String

    /// Its group in the ledger that sends; `nil` if it is the owner's.
    package var sent: String?

    /// Its group in the ledger that receives; `nil` if it is the owner's.
    package var kept: String?

    /// Creates a difference.
    package init(source: String, sent: String?, kept: String?) {
        self.source = source
        self.sent = sent
        self.kept = kept
    }

    /// What is the matter, in a sentence without a full stop.
    package var cause: String {
        "the source \(Excerpt.of(source)) is \(Self.words(sent)) in the ledger that sends its "
            + "events, and \(Self.words(kept)) in the one that receives them"
    }

    /// What to do, in a sentence without a full stop.
    package static let hint =
        "A source keeps the group of its first event: on one side, let it send under another name "
        + "from now on; with --accept-settings, what it has sent is left out and all else is "
        + "exchanged"

    /// The reason why its events are not stored.
    var rejection: Rejection { .otherGroup(sent, of: source, knownAs: kept) }

    private static func words(_ group: String?) -> String {
        group.map { "of the group \(Excerpt.of($0))" } ?? "of no group"
    }
}

/// Why two ledgers do not exchange events.
package enum SyncRefusal: Error, Hashable, Sendable {
    /// They compute differently: the names of the settings.
    case settingsDiffer([String])

    /// A source belongs to different groups.
    case otherGroup(GroupDifference)

    /// The other is the same ledger, or a copy of it.
    case sameLedger

    /// The token belongs to another ledger than the one that asks, or that one to another token.
    case otherLedger(TokenDispute)

    /// The sending log is shorter than it was, or different: everything is to be sent again, from
    /// 0.
    case setBack(until: UInt64)

    /// The received bytes are not those of a ledger.
    case malformed(String)
}

extension LedgerHead {
    /// Reads the members `size` and `root`.
    init?(syncing json: JSONValue) {
        guard let size = json["size"]?.number, let root = json["root"]?.text,
            Digest(hexadecimal: root) != nil, size <= 1 << 56
        else { return nil }
        self.init(size: size, root: root)
    }
}
