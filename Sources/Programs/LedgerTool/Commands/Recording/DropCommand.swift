import ArgumentParser
import LedgerKeeping
import LedgerRows
import Platform
import Tables
import TripEvents
import TripLedger

/// The command `ledger _drop`, which is not for people: on behalf of the server it reads a file
/// that was dropped on the page, as `ledger append` does, and reports the outcome line by line.
struct DropCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "_drop",
        abstract: "Reads a file for `ledger serve`.",
        shouldDisplay: false
    )

    /// The most memory that the file may take, in bytes.
    private static let mostMemory: UInt64 = 3 << 30

    /// The most processor time that the file may take, in seconds.
    private static let mostSeconds: UInt64 = 3_600

    /// The most trips whose roads are told: those that began last.
    private static let mostShownTrips = 300

    @OptionGroup var book: LedgerOption

    @OptionGroup var form: InputFormOptions

    @Flag(help: "Say what would become of everything; append nothing.")
    var dryRun = false

    @Flag(help: "Refuse events of the ledger's own, which may say anything.")
    var othersOnly = false

    @Argument(help: "The file, by its name in the directory of the process.")
    var file: String

    func run() throws {
        ReaderLimits.hold(memoryBytes: Self.mostMemory, processorSeconds: Self.mostSeconds)
        let lines = DropLines(about: file)
        do {
            try read(telling: lines)
            try lines.tellEnd()
        } catch let error as LedgerError {
            try giveUp(because: error, telling: lines)
        } catch let error as ValidationError {
            let cause = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
            let refusal = LedgerError(.unreadableInput, at: file, cause: String(cause))
            try giveUp(because: refusal, telling: lines)
        }
    }

    private func giveUp(because error: LedgerError, telling lines: DropLines) throws {
        try lines.tell(failure: inMap(error) ?? error)
        try lines.tellEnd()
        throw ExitCode(error.code.exitCode)
    }

    /// Returns an error with the column map as its place, if it is in the map: the sender knows the
    /// members of the map, but not its file.
    private func inMap(_ error: LedgerError) -> LedgerError? {
        guard let map = form.map, error.place.hasPrefix(map) else { return nil }
        let member = error.place.dropFirst(map.count).drop { $0 == ":" || $0 == " " }
        let place = member.isEmpty ? "in the map" : "in the map, \(member)"
        return LedgerError(error.code, at: file, cause: "\(place): \(error.cause)")
    }

    private func read(telling lines: DropLines) throws {
        let ledger = try book.open()
        defer { ledger.close() }
        var request = AppendRequest(files: [file], form: try form.form(), vehicle: form.vehicle)
        request.form.takesOwnEvents = !othersOnly
        request.intake.defaultSource = form.source
        request.intake.notesAllStretches = true
        let report = AppendReport(on: .kept, showsReceipts: false, isDryRun: dryRun, lines)
        let before = TripsBefore(ledger)
        guard dryRun else {
            let answer = try request.take(into: ledger, after: before, telling: report)
            try tell(answer, in: ledger, lines)
            return
        }
        let head = try ledger.head()
        try ledger.withCopy { copy in
            let answer = try request.take(
                into: copy,
                after: before,
                insteadOf: head,
                telling: report
            )
            let began = try tell(answer, in: copy, lines)
            try tellRoads(of: began, in: copy, lines)
        }
        guard form.map == nil, report.hasUnreadable,
            let suggestion = try? MapProposal.suggestion(for: file)
        else { return }
        try lines.tell(suggestion)
    }

    /// Reports the outcome; returns the trips that began by the file.
    @discardableResult
    private func tell(
        _ answer: AppendSummary,
        in ledger: Ledger,
        _ lines: DropLines
    ) throws -> [AppendedTrips.Line] {
        let began = (answer.trips?.lines ?? [])
            .filter { line in
                // Others may deliver meanwhile.
                line.change == .began && line.counts
                    && ImportFollowUp.isOne(
                        of: answer.intake,
                        line.source,
                        line.startedAt.timestamp,
                        nil
                    )
            }
        try lines.tell(answer, began, by: ledger.clock)
        return began
    }

    private func tellRoads(
        of trips: [AppendedTrips.Line],
        in ledger: Ledger,
        _ lines: DropLines
    ) throws {
        let shown = trips.sorted { $0.startedAt.timestamp < $1.startedAt.timestamp }
            .suffix(Self.mostShownTrips)
        guard !shown.isEmpty else { return }
        var roads = RoadMap()
        try ledger.readNow { snapshot in
            try snapshot.readWays(of: shown.map(\.trip)) { roads.add($0) }
        }
        try lines.tell(roads)
    }
}
