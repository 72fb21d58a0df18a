import Platform
import SystemPackage
import TripLedger

/// Programs that stand beside this one, because their libraries do not fit into one small file.
enum NeighbourProgram {
    /// Returns the path of a program.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - purpose: Its purpose, worded for the sentence that it is missing.
    ///   - hint: How to get it.
    /// - Returns: Its file.
    /// - Throws: `LedgerError` if it is not there.
    static func path(
        of name: String,
        for purpose: String,
        hint: String
    ) throws(LedgerError) -> FilePath {
        if let path = try? ProgramBeside.path(of: name) { return path }
        let path = ProgramBeside.place(of: name)
        _ = try LedgerError.translating(at: path) { try ProgramBeside.path(of: name) }
        throw LedgerError(
            .notFound,
            at: path.string,
            cause: "\(purpose), which is not there",
            hint: hint
        )
    }

    /// Becomes `ledger-sync`, the program that uses the network.
    ///
    /// - Parameters:
    ///   - words: Its arguments.
    ///   - purpose: What it is to do, as in "syncing".
    /// - Returns: Why it cannot be started.
    /// - Throws: `LedgerError` if it is not there.
    static func becomeSync(
        _ words: [String],
        for purpose: String
    ) throws(LedgerError) -> LedgerError {
        let program = try sync(for: purpose)
        let start = ProcessStart(
            program,
            arguments: words + form,
            streams: (.inherited, .inherited, .inherited)
        )
        return LedgerError(
            .inputOutput,
            at: program.string,
            cause: "it cannot be started: \(start.replaceThisProgram())"
        )
    }

    /// Runs `ledger-sync` until it has done its work.
    ///
    /// - Parameters:
    ///   - words: Its arguments.
    ///   - purpose: What it is to do, as in "syncing".
    /// - Returns: Whether it has done it.
    /// - Throws: `LedgerError` if it is not there, `Errno` if it cannot be started.
    static func runSync(_ words: [String], for purpose: String) throws -> Bool {
        let start = ProcessStart(
            try sync(for: purpose),
            arguments: words + form,
            streams: (.null, .inherited, .inherited)
        )
        return ProcessEnding.waiting(for: try start.launch()) == .exit(0)
    }

    /// Posts bytes by `ledger-sync`, and returns the answer, whatever its status.
    ///
    /// - Parameters:
    ///   - bytes: What is posted.
    ///   - address: Where to.
    ///   - mediaType: What it is.
    /// - Returns: The status and the body.
    /// - Throws: `LedgerError` if the program is not there, or if there is no answer, or too long a
    ///   one for a stamp or a cosignature.
    static func post(
        _ bytes: [UInt8],
        to address: String,
        as mediaType: String
    ) throws -> (status: Int, body: [UInt8]) {
        let program = try sync(for: "asking others")
        let (input, output) = (try NamelessFile(holding: bytes), try NamelessFile())
        let start = ProcessStart(
            program,
            arguments: ["--post", address, mediaType] + form,
            streams: (.file(input.descriptor), .file(output.descriptor), .inherited)
        )
        guard ProcessEnding.waiting(for: try start.launch()) == .exit(0) else {
            throw LedgerError(
                .inputOutput,
                at: Excerpt.address(address),
                cause: "it has not answered",
                hint: "Look at the address and the network, and try again"
            )
        }
        try output.descriptor.seek(offset: 0, from: .start)
        let answer: [UInt8]
        do {
            answer = try PrivateFile.read(output.descriptor, maximumByteCount: mostAnswerBytes)
        } catch Errno.fileTooLarge {
            throw LedgerError(
                .inputOutput,
                at: Excerpt.address(address),
                cause: "its answer has more than \(mostAnswerBytes) bytes",
                hint: "Look at the address: no stamp or cosignature is as long"
            )
        }
        let status = answer.prefix { $0 != UInt8(ascii: "\n") }
        return (
            Int(String(decoding: status, as: UTF8.self)) ?? 0,
            Array(answer.dropFirst(status.count + 1))
        )
    }

    /// More than a stamp or a cosignature has.
    private static let mostAnswerBytes = 1 << 20

    /// The argument that gives `ledger-sync` the format of its messages: the same as this
    /// program's.
    private static var form: [String] { ErrorReport.isAskedFor ? ["format=json"] : [] }

    /// Returns the path of `ledger-sync`.
    private static func sync(for purpose: String) throws(LedgerError) -> FilePath {
        let name = "ledger-sync"
        return try path(
            of: name,
            for: "\(purpose) is done by \(name)",
            hint: "Build it with `tools/setup --all` and `swift build -c release --product "
                + "\(name)`, and put it beside `ledger`"
        )
    }
}
