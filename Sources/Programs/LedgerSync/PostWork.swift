import Glibc
import LedgerKeeping
import Platform
import SystemPackage

/// Posts what it reads to an address and writes the answer, for `ledger head --stamp` and
/// `--witnesses`: `ledger` itself speaks to no network.
enum PostWork {
    /// The most bytes of a request: a proof with a head has fewer.
    private static let mostBytes = 1 << 20

    /// How long an answer may take.
    private static let timeoutSeconds = 30

    /// Posts standard input, and writes the answer's status, a line feed and its body.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - mediaType: What it is.
    /// - Returns: The exit code: 0 whatever the status is, 74 without an answer.
    static func run(_ address: String, _ mediaType: String) -> Int32 {
        do {
            let question = try PrivateFile.read(.standardInput, maximumByteCount: mostBytes)
            let client = try HTTPClient(
                address,
                socket: nil,
                fields: ["Content-Type: \(mediaType)"],
                timeoutSeconds: timeoutSeconds
            )
            let answer = try client.send("", body: question)
            try FileDescriptor.standardOutput.writeAll("\(answer.status)\n".utf8)
            try FileDescriptor.standardOutput.writeAll(answer.body)
            return 0
        } catch {
            return SyncProgram.complain(error, address)
        }
    }
}
