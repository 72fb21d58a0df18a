import Foundation
import Proofs
public import Testing

/// An authority for the time, played by the program `openssl` with certificates of its own.
public struct StampAuthority: Sendable {
    /// The reason for which tests of stamps are skipped.
    public static let missing: Comment = "skipped: there is no program /usr/bin/openssl"

    /// Whether the program is there.
    public static let isPresent = FileManager.default.isExecutableFile(atPath: program)

    private static let program = "/usr/bin/openssl"

    /// Why the program has not done what it was asked for.
    private struct Failure: Error {
        let arguments: [String]
    }

    private static let configuration = """
        [req]
        distinguished_name=name
        prompt=no
        [name]
        CN=Root of tests
        [root]
        basicConstraints=critical,CA:TRUE
        keyUsage=critical,keyCertSign
        [stamps]
        extendedKeyUsage=critical,timeStamping
        [letters]
        extendedKeyUsage=emailProtection
        [authority]
        serial=serial
        signer_digest=sha256
        default_policy=1.2.3.4.1
        digests=sha256
        accuracy=secs:1
        ess_cert_id_alg=sha256

        """

    private let directory: TemporaryDirectory

    /// The certificate that is to be trusted, as PEM.
    public let root: [UInt8]

    /// Makes an authority.
    ///
    /// - Parameters:
    ///   - days: For how many days its certificate is valid; one with fewer than none has expired.
    ///   - purpose: Its certificate's purpose: `stamps` or `letters`.
    /// - Throws: What the program or the disk has against it.
    public init(validForDays days: Int = 30, purpose: String = "stamps") throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        try Data(Self.configuration.utf8).write(to: directory.url.appendingPathComponent("c"))
        try Data("01\n".utf8).write(to: directory.url.appendingPathComponent("serial"))
        func run(_ words: String) throws { try Self.run(words, in: directory) }
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config c"
        try run("req -x509 \(key) -keyout root.key -out root.pem -extensions root -days 60")
        try run("req \(key) -keyout key -out request -subj /CN=Authority")
        try run(
            "x509 -req -in request -CA root.pem -CAkey root.key -CAcreateserial -out pem "
                + "-extfile c -extensions \(purpose) -days \(days)"
        )
        root = Array(try Data(contentsOf: directory.url.appendingPathComponent("root.pem")))
    }

    /// Returns the answer to a request.
    public func answer(to request: [UInt8]) throws -> [UInt8] {
        try Data(request).write(to: directory.url.appendingPathComponent("query"))
        try Self.run(
            "ts -reply -queryfile query -config c -section authority -signer pem -inkey key "
                + "-out reply",
            in: directory
        )
        return Array(try Data(contentsOf: directory.url.appendingPathComponent("reply")))
    }

    /// Stamps the last signed head of the ledger in `book`, which has no cosignatures, and keeps
    /// the answer as `ledger head --stamp` does.
    ///
    /// - Parameters:
    ///   - book: The ledger.
    ///   - root: The root, in base 64, of a made-up head of the same size to be stamped instead.
    /// - Throws: What the program or the disk has against it.
    package func stampLastHead(of book: LedgerProcess, withRoot root: String? = nil) throws {
        let folder = book.directory.url.appendingPathComponent("book/heads")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let note = try #require(names.filter { $0.hasSuffix(".note") }.max())
        var lines = try String(contentsOf: folder.appendingPathComponent(note), encoding: .utf8)
            .components(separatedBy: "\n")
        if let root { lines[2] = root }
        let head = Array(lines.joined(separator: "\n").utf8)
        let answer = try answer(to: TimeStampRequest(of: head, number: 3).bytes)
        let digits = SHA256.digest(answer.span).description.prefix(8)
        let name = "\(note.dropLast(".note".count)).\(digits)"
        try Data(head).write(to: folder.appendingPathComponent("\(name).stamped"))
        try Data(answer).write(to: folder.appendingPathComponent("\(name).tsr"))
    }

    /// Returns whether `openssl ts -verify` finds an answer to be over bytes and by an authority
    /// that a root vouches for.
    public func verifies(_ answer: [UInt8], over bytes: [UInt8], by root: [UInt8]) throws -> Bool {
        let files = [("given", answer), ("data", bytes), ("trusted", root)]
        for (name, bytes) in files {
            try Data(bytes).write(to: directory.url.appendingPathComponent(name))
        }
        do {
            try Self.run("ts -verify -data data -in given -CAfile trusted", in: directory)
            return true
        } catch is Failure {
            return false
        }
    }

    private static func run(_ words: String, in directory: TemporaryDirectory) throws {
        let process = Subprocess(
            URL(fileURLWithPath: program),
            arguments: words.split(separator: " ").map(String.init)
        )
        process.currentDirectoryURL = directory.url
        process.standardOutput = .null
        process.standardError = .null
        try process.start()
        guard process.waitForEnd().exitCode == 0 else {
            throw Failure(arguments: process.arguments)
        }
    }
}
