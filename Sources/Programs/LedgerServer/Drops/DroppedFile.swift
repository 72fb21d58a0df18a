import JSONText
import ServerStore
import TripLedger

/// A file that was dropped on the page, with the reader's messages about it: `drop.v1.schema.json`.
struct DroppedFile: Sendable {
    /// How far it is.
    enum Stage: String, Sendable {
        /// It is being sent, or waits for the desk.
        case arriving

        /// It is read without being added.
        case looking

        /// The effect that it would have is known.
        case looked

        /// It is being added.
        case adding

        /// It was added, and deleted.
        case added

        /// It could not be read to its end.
        case failed

        /// Whether it is being processed.
        var isBusy: Bool {
            switch self {
            case .arriving, .looking, .adding: true
            case .looked, .added, .failed: false
            }
        }
    }

    /// The owner's options for it.
    struct Options: Hashable, Sendable {
        /// The map of a table's columns, as JSON; `nil` if their names tell their meaning.
        var map: String?

        /// The source of events that name none.
        var source: String?

        /// The vehicle, where the file names none.
        var vehicle: String?

        /// The zone of times that name none.
        var timeZone: String?

        /// Whether lines of events are refused, because they may say anything.
        var isOthersOnly = false
    }

    /// The most lines of a kind that are kept; a reader writes fewer.
    private static let mostLines = 1_000

    /// The id by which it is requested.
    let id: String

    /// Who has sent it: the name of the token, or nothing for the owner.
    let holder: String

    /// What it is called.
    let name: String

    /// Its size, as far as it has come.
    var byteCount = 0

    /// How far it is.
    var stage = Stage.arriving

    /// The owner's options when it was read last.
    var options = Options()

    /// When it was last read or, before the first reading, when its sender last asked for it, at
    /// first by sending it.
    private(set) var readAt = ContinuousClock.now

    /// Whether all of it is there, and waits for the desk.
    private(set) var isWaiting = false

    /// When it was first read, which begins its turn; `nil` before that.
    private(set) var servedAt: ContinuousClock.Instant?

    /// Whether the reader has written its last message.
    private(set) var isToldWhole = false

    /// The reader's single messages, by their names.
    private var facts: [JSONValue.Member] = []

    /// The reader's repeated messages.
    private var problems: [JSONValue] = []
    private var unreadable: [JSONValue] = []
    private var years: [JSONValue] = []
    private var trips: [JSONValue] = []

    /// Begins with a file whose bytes are about to arrive.
    init(id: String, holder: String, name: String) {
        self.id = id
        self.holder = holder
        self.name = name
    }

    /// Notes that its sender asks for it while the desk is not free.
    mutating func wait(at now: ContinuousClock.Instant) {
        isWaiting = true
        readAt = now
    }

    /// Takes note that a reader has ended.
    mutating func noteRead(at now: ContinuousClock.Instant) {
        readAt = now
        servedAt = servedAt ?? now
    }

    /// The state of the desk for those that wait.
    var desk: DeskLine.Desk {
        if stage.isBusy { return .busy(for: holder) }
        guard stage != .added, let servedAt else { return .free }
        return .served(holder, at: servedAt)
    }

    /// Begins to have it read.
    mutating func begin(_ stage: Stage) {
        self.stage = stage
        isWaiting = false
        isToldWhole = false
        facts = []
        problems = []
        unreadable = []
        years = []
        trips = []
    }

    /// Takes note of a line of its reader.
    mutating func note(_ line: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(line.span), let said = members.first
        else { return }
        switch said.name {
        case "problem": Self.add([said.value], to: &problems)
        case "unreadable": Self.add([said.value], to: &unreadable)
        case "year": Self.add([said.value], to: &years)
        // As many as there are: `undo` needs each.
        case "trips": trips += said.value["ids"]?.elements ?? []
        case "end":
            isToldWhole = true
            facts.removeAll { $0.name == "progress" }
        default:
            facts.removeAll { $0.name == said.name }
            facts.append(said)
        }
    }

    private static func add(_ values: [JSONValue], to list: inout [JSONValue]) {
        list += values.prefix(max(0, mostLines - list.count))
    }

    /// Whether the reader gave the work up.
    var hasFailed: Bool { facts.contains { $0.name == "failed" } }

    /// Records why it was not read, if the reader could not report that.
    mutating func fail(_ code: String, _ message: String) {
        stage = .failed
        guard !hasFailed else { return }
        let failure: [(String, JSONValue)] = [
            ("code", .text(code)), ("file", .text(name)), ("message", .text(message)),
        ]
        facts.append(
            JSONValue.Member(
                name: "failed",
                value: .object(failure.map { JSONValue.Member(name: $0, value: $1) })
            )
        )
    }

    /// The members of the answer.
    var members: [JSONValue.Member] {
        let lists = [
            ("years", years), ("trips", trips), ("problems", problems), ("unreadable", unreadable),
        ]
        return [
            JSONValue.Member(name: "drop", value: .text(id)),
            JSONValue.Member(name: "name", value: .text(name)),
            JSONValue.Member(name: "bytes", value: .number(literal: "\(byteCount)")),
            JSONValue.Member(name: "stage", value: .text(stage.rawValue)),
        ]
            + facts
            + lists.filter { !$0.1.isEmpty }
            .map { JSONValue.Member(name: $0.0, value: .list($0.1)) }
    }
}
