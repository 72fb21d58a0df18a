/// The addresses that press GO and STOP with a token, for automations of phones and cars.
package struct PressSetup: Hashable, Sendable {
    /// The address that presses GO.
    package let go: String

    /// The address that presses STOP.
    package let stop: String

    /// Creates the addresses.
    ///
    /// - Parameters:
    ///   - server: The address of the server.
    ///   - text: The text of the token.
    package init(at server: ServerAddress, showing text: TokenText) {
        let path = "\(server.text)/press/\(text.text)"
        go = path + "/go"
        stop = path + "/stop"
    }
}
