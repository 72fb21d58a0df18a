import Papers
package import ServerStore
package import Tables
package import TripEvents

/// The token of a device that was just made, with what sets up its app, which is never shown again:
/// `new-device.v1.schema.json`.
package struct NewDevice: Tabular {
    /// The token and the link.
    private let made: NewToken

    private let setup: AppSetup
    private let code: QRCode
    private let remarks: [String]
    private let steps: [String]

    /// Shows a token that was made for an app; `nil` if the link is too long for a code.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - text: Its text.
    ///   - setup: The setup of the app.
    ///   - others: Tokens that deliver events of the same source.
    ///   - language: The language of the steps.
    package init?(
        _ token: Token,
        _ text: TokenText,
        _ setup: AppSetup,
        beside others: [Token],
        in language: Language
    ) {
        guard let code = QRCode(Array(setup.link.utf8)) else { return nil }
        made = NewToken(token, text, setup: setup)
        self.setup = setup
        self.code = code
        steps = SetupGuide(setup.app, with: token).steps.map(Words(language).text)
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
        NewToken.columnsOfDevice.of { $0.made }
        Column.text("instruction") { $0.setup.instruction }
        Column.list("steps") { $0.steps }
        Column.rows("values", AppSetup.Value.columns) { $0.setup.values }
        Column.text("qr_svg") { $0.code.svg }
        Column.list("remarks") { $0.remarks }
    }
}
