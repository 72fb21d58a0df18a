import ArgumentParser
import LedgerKeeping
import Platform
import SystemPackage
import TripLedger

/// The command `ledger scrub`.
struct ScrubCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scrub",
        abstract: "Reads every entry again in the background, slowly.",
        discussion: """
            Data on disks can decay. A scrub finds that while there is still a backup: it reads \
            and hashes all entries as `ledger verify` does, at most as fast as --rate says, and \
            can go on another day. When a pass is complete, history.jsonl in the ledger's \
            directory says so, and `ledger doctor` shows it. Views and signed heads are not read: \
            `ledger verify` does that, and views can be made anew at any time.

            Exit codes: 0 nothing wrong so far; 1 damage; 2 could not tell.

            Examples:
              ledger scrub --rate 4
              ledger scrub --minutes 10 --resume
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Option(help: ArgumentHelp("The most megabytes to read in a second.", valueName: "MB/s"))
    var rate: UInt64?

    @Option(help: "Stop after so many minutes; --resume goes on from there.")
    var minutes: UInt32?

    @Flag(help: "Go on where the last scrub stopped.")
    var resume = false

    func validate() throws {
        if let rate, !(1...1_000_000).contains(rate) {
            throw ValidationError("--rate must be from 1 to 1000000.")
        }
    }

    func run() throws {
        let meter = ProgressMeter()
        let result = try LedgerScrub(at: options.path, process: LedgerScanner.process)
            .run(
                bytesPerSecond: rate.map { $0 * 1_000_000 },
                minutes: minutes,
                isResumed: resume,
                onProgress: { meter.show(.log, $0, $1) },
                now: { WallClock.now }
            )
        meter.clear()
        try VerificationPage(result.outcome).show(as: options.format)
    }
}
