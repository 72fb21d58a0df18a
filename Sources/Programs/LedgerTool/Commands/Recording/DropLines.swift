import Importers
import LedgerRows
import Platform
import Tables
import TripEvents
import TripLedger

/// The output of `ledger _drop`, line by line: an object with one member, whose name gives the kind
/// of its value.
///
/// The server that runs it combines the lines into `drop.v1.schema.json`.
///
/// A class, because the report of the reader tells it about lines meanwhile.
final class DropLines {
    /// The pause between two reports of progress, in milliseconds.
    private static let pauseMilliseconds: Int64 = 200

    /// The most ids of trips on a line.
    private static let mostIDs = 10_000

    private let output = Output.standard
    private let file: String

    private var saidAt: Timestamp?

    /// Prepares to report on a file, by the name that its sender knows.
    init(about file: String) {
        self.file = file
    }

    /// Says how much of the file has been read.
    func tell(_ progress: Intake.Progress, of byteCount: Int64?) throws {
        let now = WallClock.now
        if let saidAt, now.milliseconds(since: saidAt) < Self.pauseMilliseconds { return }
        saidAt = now
        try write("progress", DropProgress(progress: progress, byteCount: byteCount))
    }

    /// Says why a line or record is not taken.
    func tell(_ answer: LineReceipt) throws {
        guard let problem = DropProblem(answer) else { return }
        try write("problem", problem)
    }

    /// Says why a file, or one within it, cannot be read.
    func tell(unreadable error: LedgerError) throws {
        try write("unreadable", DropFailure(error, of: file))
    }

    /// Says why the work was given up.
    func tell(failure error: LedgerError) throws {
        try write("failed", DropFailure(error, of: file))
    }

    /// Proposes what the columns of a table mean.
    func tell(_ suggestion: ColumnSuggestion) throws {
        try line("columns") { bytes in
            bytes += #"{"map":"#.utf8
            // In texts a line feed is escaped, so that these stand between members.
            bytes += suggestion.json.replacing("\n", with: " ").utf8
            bytes += ",".utf8
            var facts: [UInt8] = []
            ColumnSuggestion.facts.appendJSON(suggestion, to: &facts, by: nil)
            bytes += facts.dropFirst()
        }
    }

    /// Reports the outcome.
    ///
    /// - Parameters:
    ///   - summary: The sums.
    ///   - began: The trips that began by the file.
    ///   - clock: Tells the year of a trip.
    /// - Throws: `OutputError`.
    func tell(_ summary: AppendSummary, _ began: [AppendedTrips.Line], by clock: LocalDay?) throws {
        try write("summary", summary, by: clock)
        let days = clock ?? LocalDay(zone: .utc)
        for (year, trips) in Dictionary(
            grouping: began,
            by: { days.day(of: $0.startedAt).year }
        )
        .sorted(by: { $0.key < $1.key }) {
            let distance = trips.reduce(Distance.zero) { $0 + $1.distance }
            try write("year", DropYear(year: year, trips: trips.count, distance: distance))
        }
        for start in stride(from: 0, to: began.count, by: Self.mostIDs) {
            let part = began[start..<min(start + Self.mostIDs, began.count)]
            try write("trips", DropTrips(ids: part.map(\.trip.description)))
        }
    }

    /// Tells the roads that trips took.
    func tell(_ roads: RoadMap) throws {
        try line("roads") { roads.write(to: &$0) }
    }

    /// Says that nothing follows.
    func tellEnd() throws {
        try line("end") { $0 += "true".utf8 }
    }

    private func write<Row: Tabular>(
        _ member: String,
        _ row: Row,
        by clock: LocalDay? = nil
    ) throws {
        try line(member) { Row.columns.appendJSON(row, to: &$0, by: clock) }
    }

    private func line(_ member: String, _ value: (inout [UInt8]) -> Void) throws {
        try output.writeLine { bytes in
            bytes += #"{"\#(member)":"#.utf8
            value(&bytes)
            bytes += "}".utf8
        }
        try output.flush()
    }
}

/// How much of a dropped file has been read.
private struct DropProgress: Tabular {
    let progress: Intake.Progress
    let byteCount: Int64?

    static let columns = Columns<DropProgress> {
        Column.integer("records") { $0.progress.lines }
        Column.integer("bytes") { $0.progress.bytes }
        Column.integer("of") { $0.byteCount }.optional
    }
}

/// A line or record of a dropped file that is not taken.
private struct DropProblem: Tabular {
    let file: String
    let line: Int
    let code: String
    let message: String

    init?(_ answer: LineReceipt) {
        switch answer.receipt {
        case .rejected(let rejection):
            (code, message) = (rejection.code.rawValue, rejection.sentence)
        case .conflict(let position, let fields):
            let names = fields.joined(separator: ", ")
            code = "conflict"
            message =
                "Another event with this id is at position \(position)"
                + (fields.isEmpty ? "." : ", and differs in \(names).")
        case .appended, .duplicate, .heldBack, .passedOver: return nil
        }
        file = answer.file
        line = answer.line
    }

    static let columns = Columns<DropProblem> {
        Column.text("file") { $0.file }
        Column.integer("line") { $0.line }
        Column.name("code") { $0.code }
        Column.text("message") { $0.message }
    }
}

/// The reason why a dropped file, or one within it, is not read.
private struct DropFailure: Tabular {
    let code: String
    let file: String
    let message: String

    init(_ error: LedgerError, of file: String) {
        code = error.code.rawValue
        message = error.cause.prefix(1).uppercased() + error.cause.dropFirst() + "."
        // Any other place is internal to the server, such as the ledger's, and not for the sender.
        self.file = error.place.hasPrefix(file) ? error.place : file
    }

    static let columns = Columns<DropFailure> {
        Column.name("code") { $0.code }
        Column.text("file") { $0.file }
        Column.text("message") { $0.message }
    }
}

/// The trips of a year that begin by a dropped file.
private struct DropYear: Tabular {
    let year: Int
    let trips: Int
    let distance: Distance

    static let columns = Columns<DropYear> {
        Column.integer("year") { $0.year }
        Column.integer("trips") { $0.trips }
        Column.distance("distance_m", "DISTANCE") { $0.distance }
    }
}

/// Trips that begin by a dropped file.
private struct DropTrips: Tabular {
    let ids: [String]

    static let columns = Columns<DropTrips> {
        Column.list("ids") { $0.ids }
    }
}

extension ColumnSuggestion {
    /// What is said beside a map that is proposed.
    fileprivate static let facts = Columns<ColumnSuggestion> {
        Column.list("names") { $0.names }
        Column.boolean("complete") { $0.isComplete }
        Column.list("notes") { $0.notes }
    }
}
