import Papers
package import ServerStore
package import Tables
import TripEvents

/// The token of a device that was just made, with what sets up its app, which is never shown again:
/// `new-device.v1.schema.json`.
package struct NewDevice: Tabular {
    /// The token and the link.
    private let made: NewToken

    private let setup: AppSetup
    private let code: QRCode
    private let remarks: [String]

    /// Shows a token that was made for an app; `nil` if the link is too long for a code.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - text: Its text.
    ///   - setup: The setup of the app.
    ///   - others: Tokens that deliver events of the same source.
    package init?(
        _ token: Token,
        _ text: TokenText,
        _ setup: AppSetup,
        beside others: [Token]
    ) {
        guard let code = QRCode(Array(setup.link.utf8)) else { return nil }
        made = NewToken(token, text, setup: setup)
        self.setup = setup
        self.code = code
        let source = token.sources.first ?? token.name
        remarks =
            others.prefix(1)
            .map { other in
                "The token \(other.name) delivers events of the source \(source) too; if both "
                    + "record one drive, it counts twice."
            } + (setup.isPlain ? [Self.plain] : [])
    }

    private static let plain =
        "Over http the token and every position can be read on the way."

    /// The columns.
    package static let columns = Columns<NewDevice> {
        NewToken.columns.of { $0.made }
        Column.text("instruction") { $0.setup.instruction }
        Column.text("qr_svg") { $0.code.svg }
        Column.list("remarks") { $0.remarks }
    }
}
