import HTTPTypes
import Hummingbird
import Tables
import TripEvents

/// The words of a button's page, in the language that its reader asks for.
struct ButtonWords {
    private let words: Words

    /// Finds the language.
    init(for request: Request) {
        let wanted = (request.headers[.acceptLanguage] ?? "").split(separator: ",")
            .map { $0.drop { $0 == " " }.prefix(2).lowercased() }
        words = Words(wanted.lazy.compactMap(Language.init).first ?? .en)
    }

    /// Returns the answer to a press.
    func pressed(_ press: ButtonEndpoint.Press) -> String {
        words.text(
            Phrase(
                en: "\(own: press.name) was pressed.",
                nl: "\(own: press.name) is ingedrukt.",
                de: "\(own: press.name) wurde gedrückt.",
                fr: "\(own: press.name) est fait."
            )
        )
    }

    /// Returns the page with the button, which posts to its own address.
    func document(for press: ButtonEndpoint.Press) -> String {
        let text = words.text(
            Phrase(
                en: "Press \(own: press.name)",
                nl: "Druk op \(own: press.name)",
                de: "\(own: press.name) drücken",
                fr: "Appuyer sur \(own: press.name)"
            )
        )
        // A form that names no address posts to that of its page, with the query.
        return document(press, "<form method=\"post\"><button>\(text)</button></form>")
    }

    /// Returns the page after the button was pressed.
    func documentOfPressed(_ press: ButtonEndpoint.Press) -> String {
        let close = words.text(
            Phrase(
                en: "You can close this page.",
                nl: "Je kunt deze pagina sluiten.",
                de: "Diese Seite kann geschlossen werden.",
                fr: "Vous pouvez fermer cette page."
            )
        )
        return document(press, "<p>\(pressed(press)) \(close)</p>")
    }

    private func document(_ press: ButtonEndpoint.Press, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="\(words.language.rawValue)">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(press.name)</title>
        <h1>\(press.name)</h1>
        \(body)
        </html>

        """
    }
}
