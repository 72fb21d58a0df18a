import Importers
import JSONText
import ServerStore
import TripEvents

/// The state of the tokens of one name at an instant, which decides the fate of a rule's messages.
struct TokenStanding {
    /// The fate of messages.
    enum Fate {
        /// They become events.
        case events

        /// They are set aside, because the token was revoked or has expired.
        case setAside

        /// They are thrown away, because the token was revoked with that choice.
        case thrownAway
    }

    /// The token that delivers or, if there is none, the last one that did.
    let token: Token

    /// The fate of messages with it.
    let fate: Fate

    /// Looks for a name, or returns `nil` if no token of that name ever delivered.
    init?(of name: String, among tokens: [Token], at now: Timestamp) {
        let named = tokens.filter { token in
            token.isNamed(name) && token.use == .program && token.scopes.contains(.ingest)
        }
        let living = named.last { $0.revokedAt == nil && !$0.hasExpired(at: now) }
        guard let token = living ?? named.last else { return nil }
        self.token = token
        if living != nil {
            fate = .events
        } else {
            fate = token.dropsDeliveries ? .thrownAway : .setAside
        }
    }

    /// Why its messages do not become events, without a full stop.
    var cause: String {
        let end =
            switch fate {
            case .events: "delivers"
            case .setAside: token.revokedAt == nil ? "has expired" : "was revoked"
            case .thrownAway: "was revoked with --drop"
            }
        return "the token \(Excerpt.of(token.name)) \(end)"
    }

    /// The command that makes another token like it.
    var remedy: String {
        let name = ShellWord.quoted(token.name)
        var command = "ledger token new \(name) --source \(ShellWord.quoted(source))"
        if let group = token.group { command += " --group \(ShellWord.quoted(group))" }
        if let zone = token.timeZone { command += " --time-zone \(ShellWord.quoted(zone))" }
        if token.ownTracksKey != nil { command += " --owntracks-key FILE" }
        // The name of a token that has expired is not free yet.
        return token.revokedAt == nil ? "ledger token revoke \(name) && \(command)" : command
    }

    /// Returns a notice about a rule whose messages do not become events; `nil` if they do.
    func notice(of taken: BrokerSettings.Taken) -> String? {
        let place = "\(taken.topic.text): \(cause)."
        switch fate {
        case .events: return nil
        case .thrownAway:
            return "\(place) What comes is thrown away; to end that: \(remedy)"
        case .setAside where Self.mayPassLater(taken):
            return "\(place) What comes waits in `ledger refused`; to store it: \(remedy) && "
                + "ledger refused --retry"
        case .setAside:
            return "\(place) What comes is kept in `ledger refused`, and becomes no event; to "
                + "store what comes from then on: \(remedy)"
        }
    }

    /// Returns the items to set aside: the second is for the case that there is no room for the
    /// first.
    ///
    /// A message that `ledger refused --retry` can read is kept whole until there is a token.
    func items(
        of message: BrokerMessage,
        _ taken: BrokerSettings.Taken,
        _ now: Timestamp
    ) -> [SetAsideItem] {
        let chances = Self.mayPassLater(taken) ? [true, false] : [false]
        return chances.map { mayPassLater in
            SetAsideItem(
                message.payload,
                door: taken.form == .owntracks
                    ? DeliveryDoor.owntracks.rawValue : MessageIntake.door,
                source: source,
                token: token.name,
                group: token.group,
                code: token.revokedAt == nil ? "token_expired" : "token_revoked",
                reason: "It came when \(cause); `\(remedy)` makes another one.",
                mayPassLater: mayPassLater,
                receivedAt: now
            )
        }
    }

    /// The source of what comes with it.
    private var source: String { token.sources.first ?? token.name }

    /// Whether `ledger refused --retry` can read messages: it reads those of a server's door.
    private static func mayPassLater(_ taken: BrokerSettings.Taken) -> Bool {
        taken.form == .owntracks
    }
}
