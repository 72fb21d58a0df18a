import Platform
public import SystemPackage
public import TripEvents
public import TripLedger

/// Reads a ledger in another process, because damaged pages can crash or stop their reader.
///
/// A crash or a standstill of that process is a finding about the ledger, never the end of this
/// process.
public struct ScanProcess: Sendable {
    /// The program to run.
    private let program: FilePath

    /// The arguments that make it say ``ScanMessage``s about a task on standard output.
    private let arguments: @Sendable (ScanTask) -> [String]

    /// The longest time without a word, in milliseconds.
    private let patienceMilliseconds: Int32

    /// Creates a way to run `program`.
    public init(
        program: FilePath,
        patienceMilliseconds: Int32 = 60_000,
        arguments: @escaping @Sendable (ScanTask) -> [String]
    ) {
        self.program = program
        self.arguments = arguments
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// The result of a scan.
    public struct Result: Hashable, Sendable {
        /// The outcome: what is wrong, what could not be told, and what holds.
        public internal(set) var outcome = VerifyOutcome()

        /// The head of the entries, if all of them could be read.
        public internal(set) var head: LedgerHead?

        /// The ledger's id, if it could be read.
        public internal(set) var ledger: String?

        /// The head that the log claims.
        public internal(set) var statedHead: LedgerHead?

        /// Figures about the files, by name.
        public internal(set) var figures: [String: UInt64] = [:]

        /// The advice.
        public internal(set) var advice: [HealthReport.Advice] = []

        /// The rules that the ledger adopted by itself, in words.
        public internal(set) var ownRules: [String] = []

        /// When the first and the last of the entries that were asked about were recorded.
        public internal(set) var recorded: ClosedRange<Timestamp>?
    }

    /// Runs the program and listens until it ends.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - onProgress: Told how far it is.
    /// - Returns: Its findings; one of them is its own end, if that came too early.
    /// - Throws: `.inputOutput` if it cannot be started.
    public func run(
        _ task: ScanTask,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> Result {
        try listen(to: start(task), onProgress)
    }

    /// Starts the program; it works before anybody listens.
    func start(_ task: ScanTask) throws(LedgerError) -> ChildProcess {
        try LedgerError.translating(at: program) {
            try ChildProcess.start(program, arguments: arguments(task))
        }
    }

    /// Listens to a program until it ends.
    func listen(
        to child: ChildProcess,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> Result {
        try LedgerError.translating(at: program) {
            var result = Result()
            var isComplete = false
            var isSilent = false
            listening: while true {
                switch try child.next(withinMilliseconds: patienceMilliseconds) {
                case .silence:
                    isSilent = true
                    break listening
                case .end: break listening
                case .line(let line):
                    guard let message = ScanMessage(line: line) else { break listening }
                    if message == .end { isComplete = true }
                    result.take(message, onProgress)
                }
            }
            if !isComplete { child.interrupt() }
            let ending = child.end()
            // A head from a process that ended too early cannot be relied on.
            if !isComplete || ending != .exit(0) { result.head = nil }
            if isSilent {
                let seconds = patienceMilliseconds / 1_000
                result.outcome.report(.check, "reading stood still for \(seconds) s")
            } else if !isComplete || ending != .exit(0) {
                result.note(ending)
            }
            return result
        }
    }
}

extension ScanProcess.Result {
    fileprivate mutating func take(
        _ message: ScanMessage,
        _ onProgress: (UInt64, UInt64) -> Void
    ) {
        switch message {
        case .progress(let done, let total): onProgress(done, total)
        case .finding(let finding): outcome.report(finding)
        case .doubt(let why): outcome.doubt(why)
        case .claim(let what): outcome.claim(what)
        case .fact(let fact): outcome.confirm(fact.subject, fact.what)
        case .head(let head): self.head = head
        case .ledger(let id, let head):
            ledger = id
            statedHead = head
        case .figure(let name, let value): figures[name] = value
        case .advice(let advice): self.advice.append(advice)
        case .ownRules(let rules): ownRules.append(rules)
        case .recorded(let first, let last):
            let times = [first, last].map { Timestamp(milliseconds: Int64(clamping: $0)) }
            recorded = times[0]...max(times[0], times[1])
        case .end: break
        }
    }

    /// Notes an end that came before everything was said.
    fileprivate mutating func note(_ ending: ProcessEnding) {
        switch ending {
        case .signal(let signal):
            if let name = ChildProcess.crashName(of: signal) {
                outcome.report(.check, "reading it crashed (\(name)): its pages are damaged")
            } else {
                outcome.doubt("the process that reads it was ended by signal \(signal)")
            }
        case .exit(let code):
            outcome.doubt("the process that reads it ended early, with code \(code)")
        case .unknown:
            outcome.doubt("how the process that reads it ended cannot be told")
        }
    }
}

/// The task of a process that may crash.
public enum ScanTask: Hashable, Sendable {
    /// The log of the ledger in a directory, which must have had these heads; and when the entries
    /// from a position on were recorded.
    case log(FilePath, knownHeads: [LedgerHead] = [], recordedFrom: UInt64? = nil)

    /// The views of the ledger in a directory; new ones may stand in a scratch directory.
    case views(FilePath, scratch: FilePath)

    /// No more than what a ledger in a directory says of itself.
    case glance(FilePath)

    /// The store of a server for the ledger in a directory; all of it, or only its totals and
    /// newest items.
    case server(FilePath, isThorough: Bool)

    /// The log of the ledger in a directory, slowly: at most so many bytes a second, for at most so
    /// many minutes, from where the last time ended or from the start.
    case scrub(FilePath, bytesPerSecond: UInt64?, minutes: UInt32?, isResumed: Bool)
}
