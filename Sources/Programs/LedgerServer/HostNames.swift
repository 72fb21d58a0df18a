/// The names under which the server lets itself be asked.
///
/// A page from elsewhere can give its own name the address of this machine, so that a browser takes
/// the server for a part of that page (DNS rebinding). It cannot change the `Host` that the browser
/// then sends.
struct HostNames: Sendable {
    /// The names of this machine for itself.
    private static let ownNames = ["localhost", "127.0.0.1", "[::1]"]

    private let others: Set<String>

    /// Creates the list of names.
    ///
    /// - Parameter others: Names beside those of this machine, such as that of a proxy; one without
    ///   a port holds for each port.
    init(_ others: [String]) {
        self.others = Set(others.map { $0.lowercased() })
    }

    /// Whether the server may be asked under a name.
    ///
    /// - Parameters:
    ///   - authority: `Host` of the request: a name, with or without a port.
    ///   - port: The port that is listened on.
    /// - Returns: Whether it is a name of this machine with that port, or one of the others.
    func include(_ authority: String, port: Int?) -> Bool {
        let authority = authority.lowercased()
        let (name, named) = Self.parts(of: authority)
        if others.contains(authority) || others.contains(name) { return true }
        guard Self.ownNames.contains(name) else { return false }
        // Without a port the one of HTTP is meant; a unix socket has none.
        return port == nil || (named ?? "80") == String(port ?? 80)
    }

    private static func parts(of authority: String) -> (name: String, port: String?) {
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return (authority, nil)
        }
        return (String(authority[..<colon]), String(authority[authority.index(after: colon)...]))
    }
}
