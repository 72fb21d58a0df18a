import LedgerKeeping
import Platform
import Projections
import Proofs
import SystemPackage
import TripEvents
import TripLedger
import TripTracking

/// Reads ledgers from a stream of segments, and writes their rows and how each ended.
struct SegmentWorker {
    /// The divisor for the part of the memory that entries may take before they are stored.
    private static let collectedPart = 16

    /// About how many bytes an entry needs in the log and in the views.
    private static let bytesPerEntry: UInt64 = 3 * 48

    /// What the directories of workers are called.
    private static let scratchName = ".ledger-worker"

    private let instant: Timestamp
    private let choice: WorkerChoice
    private let rules: AdoptedRules?
    private let scratch: FilePath?
    private let memory: Int
    private let output: Output

    private var buffer = SegmentBuffer()
    private var piece: [UInt8] = []

    /// A frame that was read too early: the one that begins the next ledger.
    private var waiting: SegmentFrame?

    /// Prepares to work.
    init(
        asOf instant: Timestamp,
        choice: WorkerChoice,
        rules: AdoptedRules?,
        scratch: FilePath?,
        memory: Int,
        _ output: Output
    ) {
        self.instant = instant
        self.choice = choice
        self.rules = rules
        self.scratch = scratch
        self.memory = memory
        self.output = output
    }

    /// How a ledger ended that was read.
    private enum Ending {
        /// The ledger is complete: the line that ends its rows.
        case complete([UInt8])

        /// It is refused.
        case refused(SegmentHeader, LedgerError)
    }

    /// Reads the stream to its end.
    ///
    /// - Parameter read: Replaces the given bytes by the next ones; by none at the end.
    /// - Returns: Whether the rows of all ledgers were written.
    /// - Throws: `LedgerError`, and what writing throws.
    mutating func work(_ read: (inout [UInt8]) throws -> Void) throws -> Bool {
        var count = 0
        var isComplete = true
        // An end is written only once another ledger, or the end of the stream, follows it.
        var ending: Ending?
        while let frame = try next(read) {
            guard case .ledger(let header) = frame else {
                throw Self.error(.badFrame, "a frame stands outside of any ledger")
            }
            if let ending { try write(ending) }
            count += 1
            let ended = try work(on: header, read)
            if case .refused = ended { isComplete = false }
            ending = ended
        }
        guard let ending else { throw Self.error(.truncated, "the stream is empty") }
        if count == 1, case .refused(_, let error) = ending { throw error }
        try write(ending)
        return isComplete
    }

    /// Reads one ledger to its end and writes its rows; returns how it ended.
    private mutating func work(
        on header: SegmentHeader,
        _ read: (inout [UInt8]) throws -> Void
    ) throws -> Ending {
        let parent = try place(for: header)
        return try Unfinished.withDirectory(for: Self.scratchName, in: parent) { path in
            // A leftover does no harm: the next worker removes it.
            defer { try? Directory.removeTree(path) }
            var ledger = ScratchLedger(in: path, collecting: max(1, memory / Self.collectedPart))
            defer { ledger.discard() }
            var isOver = false
            do {
                try fill(&ledger, header, &isOver, read)
                let opened = try ledger.open(adopting: rules?.events, now: instant)
                defer { opened.close() }
                return .complete(try writeRows(of: opened, header))
            } catch let damage as SegmentDamage {
                if !isOver { try skip(read) }
                return .refused(header, Self.error(damage.code.errorCode, damage.description))
            } catch let error as LedgerError where [.damaged, .newer].contains(error.code) {
                if !isOver { try skip(read) }
                // Nothing stored is damaged: the input is not a log, or one of a newer version.
                let code = error.code == .newer ? LedgerError.Code.unknownVersion : .badFrame
                return .refused(header, Self.error(code, error.cause))
            } catch let problem as ReportProblem {
                // Such as a claim of a ledger without a country: the others go on.
                if !isOver { try skip(read) }
                let sentence = problem.sentence(at: .commandLine)
                return .refused(header, Self.error(.unreadableInput, sentence))
            } catch let error as LedgerError where [.notFound, .ambiguous].contains(error.code) {
                // Such as no rates of that country, or a vehicle's name that means several.
                if !isOver { try skip(read) }
                return .refused(header, Self.error(error.code, error.cause))
            } catch let error as LedgerError where error.code == .diskFull {
                throw Self.noSpace(parent, error.cause)
            }
        }
    }

    /// Reads the segments of a ledger.
    private mutating func fill(
        _ ledger: inout ScratchLedger,
        _ header: SegmentHeader,
        _ isOver: inout Bool,
        _ read: (inout [UInt8]) throws -> Void
    ) throws {
        var chain = SegmentChain()
        try chain.begin(header)
        while let frame = try next(read) {
            switch frame {
            case .segment(let segment): try ledger.append(try chain.take(segment))
            case .ledger(let other):
                waiting = frame
                isOver = true
                try chain.begin(other)
            case .end:
                isOver = true
                _ = try chain.end()
                return
            }
        }
        try LedgerError.refusingSegments { try chain.finish(buffer) }
    }

    /// Passes over the frames of a ledger that is refused.
    private mutating func skip(_ read: (inout [UInt8]) throws -> Void) throws {
        while let frame = try next(read) {
            switch frame {
            case .segment: continue
            case .end: return
            case .ledger:
                waiting = frame
                return
            }
        }
    }

    /// Returns the next frame; `nil` at the end.
    ///
    /// - Throws: `LedgerError` if the frame is damaged, because then the beginning of the next one
    ///   is unknown.
    private mutating func next(_ read: (inout [UInt8]) throws -> Void) throws -> SegmentFrame? {
        if let frame = waiting {
            waiting = nil
            return frame
        }
        while true {
            if let frame = try LedgerError.refusingSegments({ try buffer.next() }) { return frame }
            do {
                try read(&piece)
            } catch let error as Errno {
                throw Self.error(.unreadableInput, error.description)
            }
            guard !piece.isEmpty else { break }
            let bytes = piece
            buffer.append(bytes.span)
        }
        guard buffer.isEmpty else {
            throw Self.error(.truncated, "the stream ends within a frame")
        }
        return nil
    }

    /// Returns a directory for a ledger while it is read.
    private func place(for header: SegmentHeader) throws -> FilePath {
        let places = scratch.map { [$0] } ?? [Directory.inMemory, Directory.temporary]
        let (needed, isTooLarge) = header.head.size
            .multipliedReportingOverflow(by: Self.bytesPerEntry)
        for place in places where !isTooLarge {
            if let free = try? Directory.freeBytes(at: place), free >= needed { return place }
        }
        let need = isTooLarge ? "more than any disk has" : "\(needed) bytes"
        throw Self.noSpace(
            places[places.count - 1],
            "\(header.head.size) entries may need \(need), and there is less"
        )
    }

    private static func noSpace(_ place: FilePath, _ cause: String) -> LedgerError {
        LedgerError(
            .noSpace,
            at: place.string,
            cause: cause,
            hint: "Make room there, or name another directory with --scratch"
        )
    }

    private static func error(_ code: LedgerError.Code, _ cause: String) -> LedgerError {
        LedgerError(code, at: "standard input", cause: cause)
    }
}

// MARK: - Writing

extension SegmentWorker {
    /// Writes the rows of a ledger, and returns the line that ends it.
    private func writeRows(of ledger: Ledger, _ header: SegmentHeader) throws -> [UInt8] {
        var rows = WorkerRows(
            of: header,
            choice,
            asOf: instant,
            clock: ledger.clock,
            to: output
        )
        try ledger.read(asOf: instant) { try rows.write($0) }
        return WorkerRows.line("end", header) { json in
            self.addHead(header, to: &json)
            json.add("rows", integer: Int64(rows.count))
            json.add("sha256", text: rows.finish())
        }
    }

    /// Writes the line that ends a ledger.
    private func write(_ ending: Ending) throws {
        switch ending {
        case .complete(let line): try output.write(line)
        case .refused(let header, let error):
            try output.write(
                WorkerRows.line("end", header) { json in
                    self.addHead(header, to: &json)
                    json.add("error", text: error.code.rawValue)
                    json.add("message", text: error.cause)
                }
            )
        }
    }

    private func addHead(_ header: SegmentHeader, to json: inout RowJSON) {
        json.add("size", integer: Int64(header.head.size))
        json.add("root", text: header.head.root.description)
        json.add("as_of", time: EventTime(instant))
        if let rules {
            json.add("rules", text: rules.digest.description)
        } else {
            json.add("rules", object: Array("null".utf8))
        }
    }
}

/// Adoptions of rules from a file, which replace those in a log.
struct AdoptedRules {
    private static let maximumByteCount = 1 << 20

    /// The adoptions.
    let events: [TripEvent]

    /// The hash of the file.
    let digest: Digest

    /// Reads a file of lines of type `rules_adopted`.
    ///
    /// - Throws: `LedgerError`.
    init(at path: FilePath, recordedAt: Timestamp) throws(LedgerError) {
        let bytes = try LedgerError.translating(at: path) {
            try WholeFile.read(path, maximumByteCount: Self.maximumByteCount)
        }
        digest = SHA256.digest(bytes.span)
        var reader = EventLineReader()
        var events: [TripEvent] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.isEmpty {
            let place = "\(path), line \(number + 1)"
            let event: TripEvent
            let bytes = Array(line)
            do throws(Rejection) {
                event = try reader.event(
                    bytes.span,
                    defaultSource: Ledger.decisionSource,
                    recordedAt: recordedAt
                )
            } catch {
                throw LedgerError(.unreadableInput, at: place, cause: error.sentence)
            }
            guard case .rulesAdopted = event.body else {
                throw LedgerError(
                    .unreadableInput,
                    at: place,
                    cause: "it adopts no rules",
                    hint: "Name a file of rules_adopted alone: `ledger rules` shows rules"
                )
            }
            events.append(event)
        }
        self.events = events
    }
}

extension LedgerError {
    /// Runs `body`, and turns the reason why a stream of segments is refused into a `LedgerError`.
    fileprivate static func refusingSegments<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let damage as SegmentDamage {
            throw LedgerError(
                damage.code.errorCode,
                at: "standard input",
                cause: damage.description
            )
        }
    }
}
