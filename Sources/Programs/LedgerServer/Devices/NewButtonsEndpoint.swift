import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import Platform
import ServerStore
import Tables
import TripEvents
import TripLedger

/// Makes the token of a button, which can only press GO and STOP: `POST /v1/buttons`.
///
/// It is listed and revoked among the devices.
struct NewButtonsEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The tokens.
    let store: OpenedServerState

    /// The members that the body may have.
    private static let members = [
        BodyMember("name", .text(most: 128), isRequired: true),
        BodyMember("source", .text(most: 128), isRequired: true),
        BodyMember("url", .address, isRequired: true), BodyMember("vehicle", .text(most: 200)),
        BodyMember("language", .word(Language.allCases.map(\.rawValue))),
    ]

    /// The path.
    var route: Route {
        Route(
            .post,
            "/v1/buttons",
            "Makes a token that can only press GO and STOP, with its addresses, shown this once",
            taking: BodyForm(kinds: [("application/json", [])], members: Self.members),
            as: .object("new-button"),
            for: [.admin],
            reaching: .seen,
            make
        )
    }

    private func make(_ call: Call) async throws(Problem) -> Response {
        let said = try await TextMembers(of: call, Self.members.names)
        let name = try said.requireSourceName("name")
        guard let address = ServerAddress(try said.require("url")) else {
            throw .invalidParameter("url", "https://HOST, perhaps with a port and a path")
        }
        let language = try said.language("language")
        var token = Token(name: name, scopes: [.press], createdAt: WallClock.now)
        token.sources = [try said.requireSourceName("source")]
        token.vehicle = said["vehicle"]
        try call.access.limit(&token, isSourceSaid: true)
        token.name = try said.tokenName(by: call.access) ?? name
        let (store, ledger, made) = (store, reader.ledger, token)
        let (bytes, size) = try await reader.run {
            var random = BufferedRandom()
            let text = TokenText(of: made, using: &random)
            guard let button = NewButton(made, text, at: address, in: language) else {
                throw Problem.invalidParameter("url", "shorter: the link is too long for a code")
            }
            try store.add(made, shownAs: text)
            var bytes: [UInt8] = []
            NewButton.columns.appendJSON(button, to: &bytes, by: nil)
            return (bytes, try ledger.head().size)
        }
        return reader.response(bytes, at: size)
    }
}
