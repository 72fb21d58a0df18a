import EmbeddedFiles
import Glibc
import JSONText
import LedgerKeeping
import Platform
import ServerStore
import SystemPackage
import Tables
import TripLedger

/// Speaks to others over HTTP: exchanges events with another ledger, for `ledger sync`, sends
/// notices, for `ledger watch --post` and `--mail`, and asks for stamps and cosignatures, for
/// `ledger head`.
@main
enum SyncProgram {
    private static let usage = """
        Usage: ledger-sync LEDGER ADDRESS [OPTION …]

        Exchanges events with the ledger that `ledger serve` serves at an address.
        `ledger sync` starts it and explains it. Options: every=SECONDS, token-file=FILE,
        socket=PATH, accept-settings=true, format=json.

        Usage: ledger-sync LEDGER ADDRESS notices=true [OPTION …]

        Tells what happens to an address, or by mail to mailto:ADDRESS. `ledger watch` starts it
        and explains it. Options: form=FORM, secret-file=FILE, token-file=FILE, on=KIND,…,
        since=POSITION, once=true, timeout=SECONDS, mailer=PROGRAM, format=json;
        message=SENTENCE tells that alone, for `ledger monthly`.

        Usage: ledger-sync --post ADDRESS MEDIA-TYPE [format=json]

        Posts standard input, and prints the status, a line feed and the body of the answer.
        `ledger head --stamp` and `--witnesses` start it and explain it.

        Usage: ledger-sync --version|--licences

        Prints the version, or what the programs are linked with.

        """

    /// Whether a program reads errors: `ledger` says so where it was asked for JSON.
    private static let isReadByProgram =
        CommandLine.arguments.dropFirst(3).contains("format=json")

    static func main() throws {
        try StandardStreams.open()
        FileSizeLimit.failWithError()
        exit(SyncProgram.run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ words: [String]) -> Int32 {
        if let answer = ProgramFacts.answer(to: words, version: ProgramVersion.current) {
            return (try? FileDescriptor.standardOutput.writeAll(answer)) == nil ? 74 : 0
        }
        let isPost = words.count == 3 || words.count == 4 && words[3] == "format=json"
        if isPost, words[0] == "--post" { return PostWork.run(words[1], words[2]) }
        if words.count >= 2, let options = NoticeOptions(words.dropFirst(2)) {
            return tell(words[0], words[1], options)
        }
        guard words.count >= 2, let options = SyncOptions(words.dropFirst(2)) else {
            let asksForHelp = words == ["--help"]
            say(usage, on: asksForHelp ? .standardOutput : .standardError)
            return asksForHelp ? 0 : 64
        }
        do {
            Ledger.explainCrashes(at: FilePath(words[0]), exitingWith: 65)
            let ledger = try Ledger(at: FilePath(words[0]))
            ledger.discardViewsOnCrash(exitingWith: 74, ifLogIsDamaged: 65)
            defer { ledger.close() }
            let state = try ServerState.openOrCreate(of: ledger.path)
            defer { state.close() }
            let work = SyncWork(of: ledger, in: state, with: words[1], options)
            guard let seconds = options.every else { return try work.once() }
            work.forEver(every: seconds)
        } catch {
            return complain(error, words[1])
        }
    }

    /// Sends notices, and returns the exit code.
    private static func tell(_ path: String, _ address: String, _ options: NoticeOptions) -> Int32 {
        do {
            Ledger.explainCrashes(at: FilePath(path), exitingWith: 65)
            let ledger = try Ledger(at: FilePath(path))
            ledger.discardViewsOnCrash(exitingWith: 74, ifLogIsDamaged: 65)
            defer { ledger.close() }
            return try NoticeWork(of: ledger, to: address, options).run()
        } catch {
            return complain(error, address)
        }
    }

    /// Says what has gone wrong, and returns the exit code.
    static func complain(_ error: any Error, _ address: String) -> Int32 {
        let address = Excerpt.address(address)
        switch error {
        case let error as LedgerError:
            complain(error.cause, at: error.place, hint: error.advice, error.code)
            return [.inputOutput, .diskFull].contains(error.code) ? 74 : 65
        case let error as Unreached:
            complain("\(error)", at: address, .inputOutput)
            return 74
        case let error as Refused:
            complain(error.cause, at: address, hint: error.hint)
            return 2
        case let error as SyncRefusal:
            let lines = SyncWork.sentence(error).split(separator: "\n", maxSplits: 1)
            let hint = lines.dropFirst().first.map(String.init) ?? ""
            complain(String(lines.first ?? ""), at: address, hint: hint)
            return 2
        default:
            complain("\(error)", at: address, .inputOutput)
            return 74
        }
    }

    /// Says what has gone wrong, on a line of JSON (`error.v1.schema.json`) if a program reads it.
    ///
    /// - Parameters:
    ///   - cause: The cause, without a full stop.
    ///   - place: The place where it was.
    ///   - hint: What to do next; empty for nothing.
    ///   - code: The kind of error; `nil` for one without a kind of its own.
    static func complain(
        _ cause: String,
        at place: String,
        hint: String = "",
        _ code: LedgerError.Code? = nil
    ) {
        guard isReadByProgram else {
            let advice = hint.isEmpty ? "" : "\n\(hint)"
            return note("ledger-sync: error: \(place): \(cause)\(advice)\n")
        }
        let fault = SyncFault(
            code: code?.rawValue ?? "failure",
            message: cause,
            place: place,
            hint: hint.isEmpty ? nil : hint
        )
        var line: [UInt8] = []
        SyncFault.columns.appendJSON(fault, to: &line, by: nil)
        say(String(decoding: line, as: UTF8.self) + "\n", on: .standardError)
    }

    /// Writes a message to standard error that may contain text of the other side.
    ///
    /// Text of the other side must not act on the terminal.
    static func note(_ text: String) {
        say(Excerpt.escapedLines(text), on: .standardError)
    }

    /// Writes a text as it is.
    static func say(_ text: String, on stream: FileDescriptor) {
        _ = try? stream.writeAll(text.utf8)
    }
}

/// What has gone wrong, as a program reads it: `error.v1.schema.json`.
private struct SyncFault: Tabular {
    let code: String
    let message: String
    let place: String
    let hint: String?

    static let columns = Columns<SyncFault> {
        Column.name("code") { $0.code }
        Column.text("message") { $0.message }
        Column.text("place") { $0.place }
        Column.text("hint") { $0.hint }.optional
    }
}

/// How to exchange events.
struct SyncOptions {
    /// How many seconds to wait between two exchanges; `nil` for one exchange.
    var every: UInt32?

    /// The file with the token.
    var tokenFile: String?

    /// The path of a unix socket that leads to the other.
    var socket: String?

    /// Whether the other may compute differently.
    var acceptsSettings = false

    /// Whether reports are JSON.
    var isJSON = false

    /// Reads `name=value` words; `nil` if one is unknown.
    init?(_ words: ArraySlice<String>) {
        for word in words {
            guard let sign = word.firstIndex(of: "=") else { return nil }
            let value = String(word[word.index(after: sign)...])
            switch word[..<sign] {
            case "every":
                guard let seconds = UInt32(value), seconds > 0, seconds <= 86_400 else {
                    return nil
                }
                every = seconds
            case "token-file": tokenFile = value
            case "socket": socket = value
            case "accept-settings": acceptsSettings = value == "true"
            case "format": isJSON = value == "json"
            default: return nil
            }
        }
    }
}
