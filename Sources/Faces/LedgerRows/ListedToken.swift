import Proofs
package import ServerStore
package import Tables
package import TripEvents

/// A token as it stands in a list, without its text: `token.v1.schema.json`.
package struct ListedToken: Tabular {
    /// The token.
    package let token: Token

    /// Whether it is valid.
    private let state: State

    /// The states of a token.
    private enum State: String {
        case valid
        case expired
        case revoked
    }

    /// Lists a token as it is at an instant.
    package init(_ token: Token, asOf now: Timestamp) {
        self.token = token
        if token.revokedAt != nil {
            state = .revoked
        } else {
            state = token.hasExpired(at: now) ? .expired : .valid
        }
    }

    /// The columns.
    package static let columns = Columns<ListedToken> {
        Column.text("name", "NAME") { $0.token.name }.identifying
        Column.list("scopes", "SCOPES") { $0.token.scopes.map(\.rawValue) }
        Column.list("sources", "SOURCES") { $0.token.sources }
            .shown(as: { $0.token.sources.isEmpty ? .name("all") : .list($0.token.sources) })
        Column.text("group", "GROUP") { $0.token.group }.optional
        Column.name("ledger", "LEDGER") { $0.token.ledger }.optional
        Column.name("use", "USE") { $0.token.use.rawValue }
            .narrowing(.leaves(5))
        Column.name("state", "STATE") { $0.state.rawValue }
            .shown(as: { .name($0.token.dropsDeliveries ? "dropping" : $0.state.rawValue) })
        Column.day("last_used", "LAST USED") { $0.token.lastUsed }
        Column.instant("created_at", "CREATED") { $0.token.createdAt }
            .shown(as: { .day(CivilDate(of: EventTime($0.token.createdAt))) })
            .narrowing(.leaves(1))
        Column.instant("expires_at", "EXPIRES") { $0.token.expiresAt }
            .narrowing(.leaves(2))
        Column.instant("revoked_at", "REVOKED") { $0.token.revokedAt }
            .shown(as: { $0.token.revokedAt.map { .day(CivilDate(of: EventTime($0))) } ?? .none })
            .narrowing(.leaves(0))
        Column.boolean("drops_deliveries") { $0.token.dropsDeliveries }
        Column.day("last_refused", "LAST REFUSED") { $0.token.lastRefused }
            .narrowing(.leaves(3))
        Column.name("time_zone", "ZONE") { $0.token.timeZone }
            .narrowing(.leaves(4))
        Column.boolean("decrypts") { $0.token.ownTracksKey != nil }
        Column.trip("trip") { $0.token.trip }.optional
        Column.text("report") { $0.token.report }.optional
        Column.text("made_by", "MADE BY") { $0.token.maker }.optional
        Column.text("vehicle", "VEHICLE") { $0.token.vehicle }.optional
        Column.boolean("dense_on_trips") { $0.token.recordsDenselyOnTrips ? true : nil }.optional
    }
}

/// A token that was just made, with its text, which is never shown again:
/// `new-token.v1.schema.json`.
package struct NewToken: Tabular {
    /// The token.
    package let token: Token

    /// Its text.
    package let text: TokenText

    /// The setup of an app with it, if one was named.
    package let setup: AppSetup?

    /// The address of the page that it opens once, if it does.
    package let page: String?

    /// The addresses that press with it, if it presses.
    package let press: PressSetup?

    /// Shows a token that was made.
    package init(
        _ token: Token,
        _ text: TokenText,
        setup: AppSetup? = nil,
        page: String? = nil,
        press: PressSetup? = nil
    ) {
        self.press = press
        self.token = token
        self.text = text
        self.setup = setup
        self.page = page
    }

    /// The columns.
    package static let columns = Columns<NewToken> {
        columnsOfDevice
        columnsOfPresses
    }

    /// The columns of the addresses with which a token presses.
    static let columnsOfPresses = Columns<NewToken> {
        Column.text("vehicle", "Vehicle") { $0.token.vehicle }.optional
        Column.text("go", "GO") { $0.press?.go }.optional
        Column.text("stop", "STOP") { $0.press?.stop }.optional
    }

    /// The columns of a token that delivers.
    static let columnsOfDevice = Columns<NewToken> {
        columnsOfToken
        Column.name("app") { $0.setup?.app.rawValue ?? $0.page.map { _ in "page" } }.optional
        Column.text("link") { $0.setup?.link ?? $0.page }.optional
    }

    /// The columns that every new token has.
    static let columnsOfToken = Columns<NewToken> {
        Column.text("name", "Name") { $0.token.name }
        Column.list("scopes", "Scopes") { $0.token.scopes.map(\.rawValue) }
        Column.list("sources", "Sources") { $0.token.sources }
            .shown(as: { $0.token.sources.isEmpty ? .name("all") : .list($0.token.sources) })
        Column.text("group", "Group") { $0.token.group }.optional
        Column.instant("created_at") { $0.token.createdAt }
        Column.instant("expires_at", "Expires") { $0.token.expiresAt }
            .shown(as: { $0.token.expiresAt.map { .time(EventTime($0)) } ?? .name("never") })
        Column.name("time_zone") { $0.token.timeZone }
        Column.boolean("decrypts") { $0.token.ownTracksKey != nil }
        Column.name("token", "Token") { $0.text.text }
    }
}

extension NumberedItem: Tabular {
    /// Something that was delivered and set aside: `refused-item.v1.schema.json`.
    package static let columns = Columns<NumberedItem> {
        Column.integer("number", "NUMBER") { $0.number }
        Column.instant("received_at", "RECEIVED") { $0.item.receivedAt }
        Column.text("source", "SOURCE") { $0.item.source }
        Column.text("token", "TOKEN") { $0.item.token }
            .narrowing(.leaves(1))
        Column.name("door", "DOOR") { $0.item.door }
        Column.name("code") { $0.item.code }
        Column.text("reason", "REASON") { $0.item.reason }
        Column.boolean("may_pass_later", "LATER") { $0.item.mayPassLater }
            .narrowing(.leaves(2))
        Column.integer("bytes", "BYTES") { $0.item.byteCount }
            .narrowing(.leaves(0))
        Column.boolean("whole") { $0.item.isWhole }
        Column.text("content") { $0.item.text }.optional
        Column.name("content_base64") { item in
            item.item.text == nil ? Base64.text(item.item.content) : nil
        }
        .optional
    }
}

extension RetriedItem: Tabular {
    /// The outcome of an item that was tried again: `retried-item.v1.schema.json`.
    package static let columns = Columns<RetriedItem> {
        Column.integer("number", "NUMBER") { $0.item.number }
        Column.instant("received_at", "RECEIVED") { $0.item.item.receivedAt }
        Column.text("source", "SOURCE") { $0.item.item.source }
        Column.name("door", "DOOR") { $0.item.item.door }
        Column.integer("appended", "APPENDED") { $0.appended }
        Column.integer("duplicate", "DUPLICATE") { $0.duplicates }
        Column.text("reason", "STILL REFUSED") { $0.reason }
    }
}

extension SetAsideItem {
    /// The stored part of it, if it is UTF-8.
    fileprivate var text: String? {
        // A cut may go through a character; such an item is shown in base 64.
        String(validating: content, as: UTF8.self)
    }
}
