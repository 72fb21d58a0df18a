package import Foundation

/// A page that people read beside the program: README or one of the documentation.
package enum ManualPage: String, CaseIterable {
    case readMe = "README.md"
    case auditing = "Auditing.md"
    case serving = "Serving.md"
    case exchanging = "Exchanging.md"
    case installing = "Installing.md"
    case driving = "Driving.md"
    case commands = "Commands.md"
    case contributing = ".github/CONTRIBUTING.md"
    case tools = "tools/README.md"

    /// The top of the repository.
    package static let root = JSONSchemaValidator.folder.deletingLastPathComponent()

    /// Where it is.
    package var file: URL {
        switch self {
        case .readMe, .contributing, .tools: Self.root.appendingPathComponent(rawValue)
        case .auditing, .serving, .exchanging, .installing, .driving, .commands:
            Self.root.appending(path: "Sources/Ledger/TripLedger/TripLedger.docc/\(rawValue)")
        }
    }

    /// Reads it.
    ///
    /// - Returns: Its text.
    /// - Throws: If it is not there.
    package func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// Returns its sessions: the blocks marked `console`.
    ///
    /// - Parameter name: How the command is to be called instead of `.build/ledger`.
    /// - Returns: The sessions in the order of the page.
    /// - Throws: If the page is not there.
    package func sessions(as name: String = ".build/ledger") throws -> [Transcript] {
        let pieces = try text().components(separatedBy: "```")
        return pieces.indices.filter { $0 % 2 == 1 && pieces[$0].hasPrefix("console\n") }
            .map {
                let session = String(pieces[$0].dropFirst("console\n".count))
                return Transcript(session.replacing(".build/ledger", with: name))
            }
    }
}
