import Hummingbird
import SystemPackage

/// The place at which a server listens.
enum ServingPlace {
    /// A port of 127.0.0.1; 0 for one that is free.
    case port(UInt16)

    /// A unix socket.
    case socket(FilePath)

    /// Reads a port, or the path of a socket, which has a slash.
    init?(_ word: String) {
        if let port = UInt16(word) {
            self = .port(port)
        } else if word.contains("/") {
            self = .socket(FilePath(word))
        } else {
            return nil
        }
    }

    /// The address as the server takes it.
    var address: BindAddress {
        switch self {
        case .port(let port): .hostname("127.0.0.1", port: Int(port))
        case .socket(let path): .unixDomainSocket(path: path.string)
        }
    }

    /// Returns the address under which it is served, with the actual port if a free one was
    /// requested.
    func served(on port: Int) -> String {
        if case .socket(let path) = self { path.string } else { "http://127.0.0.1:\(port)" }
    }

    /// The place in the words of a message.
    var name: String {
        switch self {
        case .port(let port): "port \(port) of 127.0.0.1"
        case .socket(let path): path.string
        }
    }
}
