import ArgumentParser
import SystemPackage
import TripLedger

/// The end of a run that failed or that printed help: its last message and its exit code.
struct Ending {
    /// The exit code of the process.
    let exitCode: Int32

    private let standardOutput: String
    private let standardError: String

    /// Finds the message and the code for the error that ended a command.
    init(_ error: any Error, of command: NamedCommand) {
        switch error {
        case let error as LedgerError:
            self.init(error.code.exitCode, standardError: Diagnostic(error).text)
        case let error as OutputError:
            let isUnread = error.cause == .brokenPipe
            self.init(
                LedgerError.Code.inputOutput.exitCode,
                standardError: isUnread ? "" : Diagnostic(error).text
            )
        case let error as ValidationError:
            self.init(UsageError(error, in: command))
        case let error as RequestError:
            self.init(RequestError.exitCode, standardError: Diagnostic(error).text)
        default:
            self.init(parsing: error, of: command)
        }
    }

    private init(parsing error: any Error, of command: NamedCommand) {
        let code = LedgerCommand.exitCode(for: error)
        guard code != .validationFailure else {
            self.init(UsageError(parsing: error, in: command))
            return
        }
        let message = LedgerCommand.fullMessage(for: error)
        if code.isSuccess {
            self.init(0, standardOutput: message.isEmpty ? "" : HelpPage(message).text + "\n")
        } else {
            let text = message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message
            self.init(
                code.rawValue,
                standardError: text.isEmpty ? "" : Diagnostic(unforeseen: text, command).text
            )
        }
    }

    private init(_ error: UsageError) {
        self.init(ExitCode.validationFailure.rawValue, standardError: Diagnostic(error).text)
    }

    private init(_ exitCode: Int32, standardOutput: String = "", standardError: String = "") {
        self.exitCode = exitCode
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// Says the last words and exits.
    func finish(_ command: NamedCommand) -> Never {
        var exitCode = exitCode
        do {
            try Output.standard.writing { try $0.write(standardOutput) }
        } catch {
            let failure = Ending(error, of: command)
            exitCode = failure.exitCode
            Diagnostic.write(failure.standardError)
        }
        Diagnostic.write(standardError)
        LedgerCommand.exit(withError: ExitCode(exitCode))
    }
}

extension LedgerError.Code {
    /// The exit code of the process after this error; the list stands in `ledger --help`.
    var exitCode: Int32 {
        switch self {
        case .sizeMoved, .damaged, .forked, .wouldLose: 1
        case .missingLedger, .alreadyThere, .notFound, .ambiguous, .notMergeable, .notSplittable,
            .notExcludable,
            .nothingToRecover, .tooManyPlaces, .notErasable, .newer, .unreadableInput, .badFrame,
            .gap, .wrongRoot, .truncated, .unknownVersion:
            65
        case .inputOutput, .diskFull, .noSpace, .replicaMissing, .tooManySources,
            .tooManySetAside:
            74
        }
    }
}
