import Glibc
package import SystemPackage

/// A program that is run to its end, and is ended itself if it takes too long or writes too much.
package enum ProgramRun {
    /// The outcome of a run.
    package enum Outcome: Hashable, Sendable {
        /// The program has ended.
        case ended(ProcessEnding)

        /// It took too long.
        case tooLong

        /// It wrote too much.
        case tooMuch

        /// It was not wanted any more.
        case unwanted
    }

    /// The pause between two checks of the program, in microseconds.
    private static let pause: (first: UInt32, last: UInt32) = (1_000, 20_000)

    /// Runs a program in a process group of its own.
    ///
    /// - Parameters:
    ///   - program: The file of the program.
    ///   - arguments: Its arguments, without its name.
    ///   - input: What it reads; `nil` for nothing.
    ///   - output: Receives what it writes.
    ///   - errors: Receives its error messages.
    ///   - mostBytes: How much it may write.
    ///   - end: When it must have ended.
    ///   - isWanted: Whether it is to go on.
    /// - Returns: The outcome; the program and all that it started have ended then.
    /// - Throws: `Errno`.
    package static func run(
        _ program: FilePath,
        _ arguments: [String],
        input: NamelessFile? = nil,
        output: NamelessFile,
        errors: NamelessFile,
        mostBytes: Int,
        until end: ContinuousClock.Instant,
        while isWanted: () -> Bool
    ) throws -> Outcome {
        var start = ProcessStart(
            program,
            arguments: arguments,
            streams: (
                input.map { .file($0.descriptor) } ?? .null, .file(output.descriptor),
                .file(errors.descriptor)
            )
        )
        start.isApart = true
        start.hasDefaultSignals = true
        let identifier = try start.launch()
        func kill(_ outcome: Outcome) -> Outcome {
            Glibc.kill(-identifier, SIGKILL)
            _ = ProcessEnding.waiting(for: identifier)
            return outcome
        }
        var pause = pause.first
        while true {
            if let ending = ProcessEnding.ofEnded(identifier) { return .ended(ending) }
            if !isWanted() { return kill(.unwanted) }
            if ContinuousClock.now >= end { return kill(.tooLong) }
            // A file whose size is not known is not looked at.
            let size = try? max(output.byteCount, errors.byteCount)
            if let size, size > mostBytes { return kill(.tooMuch) }
            usleep(pause)
            pause = min(pause * 2, Self.pause.last)
        }
    }
}
