import Glibc
import JSONText
import LedgerKeeping
import Platform
import ServerStore
import SystemPackage
import TripLedger

/// Speaks to others over HTTP: exchanges events with another ledger, for `ledger sync`, tells
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
        since=POSITION, once=true, timeout=SECONDS, mailer=PROGRAM; message=SENTENCE tells that
        alone, for `ledger monthly`.

        Usage: ledger-sync --post ADDRESS MEDIA-TYPE

        Posts standard input, and prints the status, a line feed and the body of the answer.
        `ledger head --stamp` and `--witnesses` start it and explain it.

        """

    static func main() throws {
        try StandardStreams.open()
        FileSizeLimit.failWithError()
        exit(SyncProgram.run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ words: [String]) -> Int32 {
        if words.count == 3, words[0] == "--post" { return PostWork.run(words[1], words[2]) }
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

    /// Tells notices, and returns the exit code.
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
            complain("\(error)")
            return [.inputOutput, .diskFull].contains(error.code) ? 74 : 65
        case let error as Unreached:
            complain("\(address): \(error)")
            return 74
        case let error as Refused:
            complain("\(address): \(error.cause)\n\(error.hint)")
            return 2
        case let error as SyncRefusal:
            complain("\(address): \(SyncWork.sentence(error))")
            return 2
        default:
            complain("\(address): \(error)")
            return 74
        }
    }

    static func complain(_ text: String) {
        note("ledger-sync: error: \(text)\n")
    }

    /// Says something on standard error in which there may be words of the other side's.
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
