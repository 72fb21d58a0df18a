import JSONText
import SystemPackage

/// What the server says on standard error while it answers requests.
package enum ServerLog {
    /// Says what has gone wrong, so that no words of a request or a file act on the terminal.
    package static func complain(_ text: String) {
        let line = "ledger-serve: error: \(Excerpt.escapedLines(text))\n"
        // If it cannot be written, serving goes on all the same.
        _ = try? FileDescriptor.standardError.writeAll(line.utf8)
    }
}
