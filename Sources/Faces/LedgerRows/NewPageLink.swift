import Papers
package import ServerStore
package import Tables

/// A new link that signs one browser in to the page; the link is never shown again:
/// `new-link.v1.schema.json`.
package struct NewPageLink: Tabular {
    /// The code that the link holds.
    private let token: Token

    private let link: String
    private let code: QRCode

    /// Shows a link; `nil` if it is too long for a code.
    ///
    /// - Parameters:
    ///   - token: The code in the link.
    ///   - text: Its text.
    ///   - server: The address of the server.
    package init?(_ token: Token, _ text: TokenText, at server: ServerAddress) {
        let link = Self.address(of: server, showing: text)
        guard let code = QRCode(Array(link.utf8)) else { return nil }
        self.token = token
        self.link = link
        self.code = code
    }

    /// Returns the address that lets a browser in with a code.
    private static func address(of server: ServerAddress, showing text: TokenText) -> String {
        "\(server.text)/#login=\(text.text)"
    }

    /// The columns.
    package static let columns = Columns<NewPageLink> {
        Column.text("name") { $0.token.name }
        Column.list("scopes") { $0.token.scopes.map(\.rawValue) }
        Column.list("sources") { $0.token.sources }
        Column.instant("expires_at") { $0.token.expiresAt }
        Column.text("link") { $0.link }
        Column.text("qr_svg") { $0.code.svg }
    }
}
