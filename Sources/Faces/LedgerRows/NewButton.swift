import Papers
package import ServerStore
package import Tables
package import TripEvents

/// The token of a button that was just made, with the addresses that press GO and STOP, which are
/// never shown again: `new-button.v1.schema.json`.
package struct NewButton: Tabular {
    /// The token and the addresses.
    private let made: NewToken

    private let goCode: QRCode
    private let stopCode: QRCode
    private let intro: String
    private let steps: [String]
    private let remarks: [String]

    /// Shows a token that was made for automations; `nil` if an address is too long for a code.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - text: Its text.
    ///   - server: The address of the server.
    ///   - language: The language of the steps.
    package init?(
        _ token: Token,
        _ text: TokenText,
        at server: ServerAddress,
        in language: Language
    ) {
        let press = PressSetup(at: server, showing: text)
        guard let goCode = QRCode(Array(press.go.utf8)),
            let stopCode = QRCode(Array(press.stop.utf8))
        else { return nil }
        made = NewToken(token, text, press: press)
        (self.goCode, self.stopCode) = (goCode, stopCode)
        (intro, steps) = PressGuide.steps(in: language)
        remarks =
            server.isPlain && !server.isOfThisMachine
            ? ["Over http the addresses can be read on the way, and others can press then."] : []
    }

    /// The columns.
    package static let columns = Columns<NewButton> {
        NewToken.columnsOfToken.of { $0.made }
        NewToken.columnsOfPresses.of { $0.made }
        Column.text("intro") { $0.intro }
        Column.list("steps") { $0.steps }
        Column.text("go_qr_svg") { $0.goCode.svg }
        Column.text("stop_qr_svg") { $0.stopCode.svg }
        Column.list("remarks") { $0.remarks }
    }
}
