import EventStore
import LMDB
public import Platform
import Proofs
public import TripEvents

/// Takes events in, line by line, in batches that are as large as the input allows: everything that
/// can be read without waiting, up to ten thousand events, goes into one transaction.
///
/// While a full batch is stored, the next one is read.
public struct Intake: ~Copyable {
    private let ledger: Ledger
    private let options: IntakeOptions
    private let now: () -> Timestamp
    private let onReceipt: (_ input: Int, LineReceipt) throws -> Void
    private let onProgress: (Progress) throws -> Void

    private var reader: EventLineReader
    private var spellings = Spellings()
    private var random = BufferedRandom()

    /// The batch that is being read.
    private var batch = Batch()

    /// The batch that is being stored, without its entries, which the other thread has.
    private var storedBatch = Batch()
    private var appendInProgress: WorkerThread<AppendEnding>?

    private var expectedSize: UInt64?
    private var bytesRead: Int64 = 0

    /// The input whose events are handed over one by one: what the log remembers of it, and
    /// the record after the last.
    private var input: (origin: InputOrigin?, nextRecord: Int) = (nil, 1)

    /// The names of the inputs so far, the present one last.
    private var inputs: [String] = []

    /// Whether it is a file that the log remembers; asked for each line, without a copy of texts.
    private var isImported = false

    /// The reader's number for the source of the last fix, and when that was.
    private var lastFix: (source: Int, at: Int64) = (-1, .min + 60_000)

    /// Called after each commit with the number of entries that must be stored elsewhere, too,
    /// before the lines are answered; if it throws, the caller gets that error instead of the
    /// answers.
    package var confirm: ((_ size: UInt64) throws -> Void)?

    private var stretches = StretchNotes()

    /// The sums over everything read so far.
    public private(set) var summary: IntakeSummary

    /// Prepares to take events into a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - options: The options.
    ///   - now: Returns the present; asked once for each batch.
    ///   - onReceipt: Gets the answers, in order, after the commit that makes them true: to every
    ///     line, or to those that `options` asks for.
    ///   - onProgress: Told after each commit, when its lines have been answered.
    /// - Throws: `.damaged` or `.inputOutput`.
    public init(
        into ledger: Ledger,
        options: IntakeOptions,
        now: @escaping () -> Timestamp,
        onReceipt: @escaping (LineReceipt) throws -> Void,
        onProgress: @escaping (Progress) throws -> Void = { _ in }
    ) throws(LedgerError) {
        try self.init(
            into: ledger,
            options,
            now: now,
            onAnswer: { try onReceipt($1) },
            onProgress: onProgress
        )
    }

    /// Prepares to take events into a ledger; each answer comes with the number of its input, in
    /// order from 0.
    init(
        into ledger: Ledger,
        _ options: IntakeOptions,
        now: @escaping () -> Timestamp,
        onAnswer: @escaping (_ input: Int, LineReceipt) throws -> Void,
        onProgress: @escaping (Progress) throws -> Void = { _ in }
    ) throws(LedgerError) {
        self.ledger = ledger
        self.options = options
        self.now = now
        onReceipt = onAnswer
        self.onProgress = onProgress
        reader = EventLineReader(isStrict: options.isStrict)
        reader.group = options.group
        expectedSize = options.expectedSize
        summary = IntakeSummary(head: try ledger.head())
    }

    /// Reads a stream to its end.
    ///
    /// Without all-or-nothing everything is stored when this returns; with it, call `finish()`
    /// after the last stream.
    ///
    /// - Parameters:
    ///   - stream: Lines of JSON.
    ///   - head: The bytes that were read from it already.
    ///   - name: The name shown in receipts.
    /// - Throws: `LedgerError`, `Errno` if the stream cannot be read, and what `onReceipt` throws.
    public mutating func take(
        _ stream: borrowing InputStream,
        after head: [UInt8] = [],
        named name: String
    ) throws {
        stream.widenPipe()
        var lines = LineBuffer(head: head)
        var number = 0
        bytesRead = Int64(head.count)
        input = (nil, 1)
        isImported = false
        var instant = now()
        inputs.append(name)
        begin(atLine: 1)
        while true {
            switch lines.next() {
            case .line(let range):
                number += 1
                take(lines.bytes.span.extracting(range), recordedAt: instant)
            case .overlong:
                number += 1
                let rejection = Rejection(
                    .lineTooLong,
                    sentence: "The line has more than \(LineBuffer.maximumLineByteCount) bytes."
                )
                batch.refuse(rejection, excerpt: "")
            case .incomplete:
                if hasUnanswered, !options.isAllOrNothing, !stream.isReadable {
                    try commit()
                    begin(atLine: number + 1)
                }
                bytesRead += Int64(try lines.fill(from: stream))
                instant = now()
                continue
            case .end:
                if !options.isAllOrNothing { try commit() }
                return
            }
            if batch.isFull, !options.isAllOrNothing {
                try beginToStore()
                begin(atLine: number + 1)
                instant = now()
            }
        }
    }

    /// Says where the next line of the present input stands.
    private mutating func begin(atLine line: Int) {
        batch.begin(at: Batch.Place(input: max(0, inputs.count - 1), line: line))
    }

    private mutating func take(_ line: Span<UInt8>, recordedAt: Timestamp) {
        do throws(Rejection) {
            try reader.read(line, defaultSource: options.defaultSource, recordedAt: recordedAt)
            note(reader.candidate)
            batch.append(reader.candidate)
            if reader.candidate.kind.mayHaveNoEffect { batch.noteDecision() }
            if isImported || options.notesAllStretches {
                stretches.note(reader.candidate, isImported: isImported, in: &summary)
            }
            if !reader.candidate.extraNames.isEmpty { noteExtra() }
        } catch {
            guard error.code != .emptyLine else {
                summary.countBlankLine()
                return batch.skipLine()
            }
            batch.refuse(error, excerpt: Excerpt.ofLine(line))
        }
    }

    /// Notes the members of the last event read that its type does not have.
    private mutating func noteExtra() {
        let extra = spellings.extra(of: reader)
        summary.count(extra.misspellings)
        batch.noteExtra(extra)
    }

    /// Notes facts that may deserve a remark when all is read.
    private mutating func note(_ candidate: borrowing EventCandidate) {
        switch candidate.kind {
        case .fixRecorded: break
        // They start no trip.
        case .inferenceReported, .odometerRead, .placeSaved: return
        default:
            summary.hasOnlyFixes = false
            return
        }
        if candidate.sourceNumber == lastFix.source,
            candidate.occurredAt.milliseconds < lastFix.at - 60_000
        {
            summary.hasFixesOutOfOrder = true
        }
        lastFix = (candidate.sourceNumber, candidate.occurredAt.milliseconds)
    }

    private var hasUnanswered: Bool { batch.count > 0 || appendInProgress != nil }

    /// Stores what all-or-nothing has kept back so far, if nothing was rejected.
    public mutating func finish() throws {
        stretches.flush(into: &summary)
        try commit()
    }
}

// MARK: - Events of other formats

extension Intake {
    /// Begins an input in another format, whose events are handed over one by one.
    ///
    /// - Parameters:
    ///   - name: The name shown in receipts.
    ///   - file: The file as the log remembers it, beside the events that come from it.
    public mutating func begin(_ name: String, of file: ImportedFile? = nil) {
        begin(name, from: file.map { .file($0) })
    }

    /// Begins such an input, and lets the log remember where its events come from.
    ///
    /// - Parameters:
    ///   - name: The name shown in receipts.
    ///   - origin: Where its events come from.
    ///   - sourceGroup: The group of its sources; `nil` for that of the options.
    package mutating func begin(
        _ name: String,
        from origin: InputOrigin?,
        group sourceGroup: String? = nil
    ) {
        reader.group = sourceGroup ?? options.group
        input = (origin, 1)
        isImported = if case .file = origin { true } else { false }
        bytesRead = 0
        inputs.append(name)
        begin(atLine: 1)
    }

    /// Takes the line of an event from a record of the input; the log may remember another number
    /// for the record than the receipt has.
    ///
    /// - Throws: `LedgerError`, and what `onReceipt` throws.
    public mutating func take(
        _ line: Span<UInt8>,
        of record: Int,
        rememberedAs place: UInt64? = nil,
        recordedAt: Timestamp
    ) throws {
        try begin(record)
        let count = batch.entries.count
        take(line, recordedAt: recordedAt)
        if let origin = input.origin, batch.entries.count > count {
            batch.noteOrigin(origin, record: place ?? UInt64(max(record, 0)))
        }
    }

    /// Takes an event that was read shortly before, as if its line were read here.
    ///
    /// Its reader MUST have had no group, no default source and no reserved types.
    ///
    /// - Throws: `LedgerError`, and what `onReceipt` throws.
    mutating func take(
        _ event: Int,
        of events: ReadEvents,
        record: Int,
        rememberedAs place: UInt64
    ) throws {
        try begin(record)
        batch.append(event, of: events, group: reader.group)
        if let origin = input.origin { batch.noteOrigin(origin, record: place) }
    }

    /// Takes a record of the input that is no acceptable event.
    ///
    /// - Throws: `LedgerError`, and what `onReceipt` throws.
    public mutating func refuse(
        _ rejection: Rejection,
        excerpt: String,
        of record: Int
    ) throws {
        try begin(record)
        batch.refuse(rejection, excerpt: excerpt)
    }

    /// Counts a record of the input that a ledger has no use for.
    public mutating func ignore(_ kind: String) {
        summary.countIgnored(kind)
    }

    /// Stores what was taken so far, unless all or nothing is to be stored.
    ///
    /// - Parameter bytesRead: How much of the input has been read.
    /// - Throws: `LedgerError`, and what `onReceipt` throws.
    public mutating func flush(bytesRead: Int64) throws {
        self.bytesRead = bytesRead
        if !options.isAllOrNothing { try commit() }
    }

    /// Makes room in the batch, and notes where the next item stands.
    private mutating func begin(_ record: Int) throws {
        if batch.isFull, !options.isAllOrNothing { try beginToStore() }
        if batch.count == 0 || record != input.nextRecord {
            begin(atLine: record)
        }
        input.nextRecord = record + 1
    }
}

// MARK: - Storing

extension Intake {
    /// Begins to store a full batch on another thread, and lets the next one be read.
    private mutating func beginToStore() throws {
        try finishStoring()
        appendInProgress = ledger.beginToAppend(
            batch.entries,
            recordedAt: now(),
            conditions: conditions,
            randomness: random,
            noting: batch.trail.makeNotes
        )
        guard appendInProgress != nil else { return try commit() }
        swap(&batch, &storedBatch)
        // The thread has it now; shared, it would be copied.
        storedBatch.entries = EntryBatch()
    }

    /// Waits for the batch that is being stored, if there is one, and answers its lines.
    private mutating func finishStoring() throws {
        guard let ending = appendInProgress?.join() else { return }
        appendInProgress = nil
        storedBatch.entries = ending.batch
        random = ending.randomness
        try answer(storedBatch, try ending.result.get())
        storedBatch.removeAll()
    }

    /// Stores everything that was read and answers every line of it.
    private mutating func commit() throws {
        try finishStoring()
        guard batch.count > 0 else { return }
        let isRefused = options.isAllOrNothing && batch.hasRejections
        try answer(batch, isRefused ? nil : try append())
        batch.removeAll()
    }

    private var conditions: AppendConditions {
        AppendConditions(
            expectedSize: expectedSize,
            isAllOrNothing: options.isAllOrNothing,
            mostSources: options.mostSources
        )
    }

    private mutating func append() throws -> AppendResult {
        try ledger.append(
            batch.entries,
            recordedAt: now(),
            mayUseThread: true,
            conditions: conditions,
            randomness: &random,
            noting: batch.trail.makeNotes
        )
    }
}

// MARK: - Answering

extension Intake {
    /// Waits until the entries of a batch are stored elsewhere, too, including those that were in
    /// the log before.
    private func requireElsewhere(
        _ batch: Batch,
        _ result: AppendResult,
        _ confirm: (_ size: UInt64) throws -> Void
    ) throws {
        var size: UInt64 = 0
        for event in 0..<batch.entries.count {
            if let position = receipt(for: event, in: batch, result).storedPosition {
                size = max(size, position + 1)
            }
        }
        if size > 0 { try confirm(size) }
    }

    /// Answers the lines of a batch.
    private mutating func answer(_ batch: Batch, _ result: AppendResult?) throws {
        if let result {
            summary.head = LedgerHead(result.head)
            expectedSize = expectedSize.map { _ in result.head.size }
            if let confirm { try requireElsewhere(batch, result, confirm) }
        }
        var refusals = batch.refusals.makeIterator()
        var refusal = refusals.next()
        var extras = batch.extras.makeIterator()
        var extra = extras.next()
        var eventIndex = 0
        for index in 0..<batch.count {
            let receipt: Receipt
            var excerpt = ""
            var kept: KeptExtra?
            if let refused = refusal, refused.index == index {
                receipt = refused.receipt
                excerpt = refused.excerpt
                refusal = refusals.next()
            } else {
                receipt = self.receipt(for: eventIndex, in: batch, result)
                if let noted = extra, noted.eventIndex == eventIndex {
                    kept = receipt.isStored ? noted.extra : nil
                    extra = extras.next()
                }
                eventIndex += 1
            }
            summary.count(receipt, withExtra: kept?.names ?? [])
            guard options.answersEveryLine || receipt.isComplaint else { continue }
            let place = batch.place(of: index)
            try onReceipt(
                place.input,
                LineReceipt(
                    file: name(of: place.input),
                    line: place.line,
                    receipt: receipt,
                    extra: kept ?? KeptExtra(),
                    excerpt: excerpt
                )
            )
        }
        for index in batch.decisions {
            if case .appended(let position) = self.receipt(for: index, in: batch, result) {
                summary.noteDecision(at: position)
            }
        }
        try onProgress(Progress(lines: summary.read, bytes: bytesRead))
    }

    /// The name of an input; empty for what was handed over before any began.
    private func name(of input: Int) -> String { input < inputs.count ? inputs[input] : "" }

    /// Says what became of the event at an index among a batch's entries.
    private func receipt(for index: Int, in batch: Batch, _ result: AppendResult?) -> Receipt {
        guard let result else { return .heldBack }
        return Receipt(result.outcomes[index], in: result)
            ?? receipt(forUnusual: index, in: batch, result)
    }

    /// Says what became of an event that was neither appended nor a plain duplicate.
    ///
    /// A function of its own, because the closure here holds a copy of the batch, which costs a
    /// twentieth of what a line costs.
    @inline(never)
    private func receipt(
        forUnusual index: Int,
        in batch: Batch,
        _ result: AppendResult
    ) -> Receipt {
        ledger.receipt(
            result.outcomes[index],
            for: (batch.entries, index),
            in: result
        ) { other in
            let place = batch.place(ofEvent: other)
            let name = name(of: place.input)
            // The items of a delivery are in no file.
            let line = name.isEmpty ? "item \(place.line)" : "\(name):\(place.line)"
            return (batch.entries.event(other), line)
        }
    }
}

// MARK: - Options

/// How events are taken in.
public struct IntakeOptions: Hashable, Sendable {
    /// The source of events that name none.
    public var defaultSource: String?

    /// The group of the sources of all events, which need not name it and MUST NOT name another;
    /// `nil` if each may name its own.
    public var group: String?

    /// Whether members that events of a type do not have are refused, and not kept.
    public var isStrict: Bool

    /// Whether one event that is rejected keeps all others out.
    public var isAllOrNothing: Bool

    /// The number of entries that the log must hold before the first of them is stored.
    public var expectedSize: UInt64?

    /// Whether every line is answered, and not only those that are not in the log.
    public var answersEveryLine: Bool

    /// Whether the times of events are noted for all inputs, and not only for files in other
    /// formats.
    public var notesAllStretches = false

    /// How many sources the ledger may have afterwards.
    public var mostSources = Ledger.mostSourcesOfOthers

    /// Creates options.
    public init(
        defaultSource: String? = nil,
        isStrict: Bool = false,
        isAllOrNothing: Bool = false,
        expectedSize: UInt64? = nil,
        answersEveryLine: Bool = true
    ) {
        self.defaultSource = defaultSource
        self.isStrict = isStrict
        self.isAllOrNothing = isAllOrNothing
        self.expectedSize = expectedSize
        self.answersEveryLine = answersEveryLine
    }
}

extension Intake {
    /// How far the work has got.
    public struct Progress: Sendable {
        /// Lines answered so far.
        public var lines: Int

        /// Bytes read of the current input.
        public var bytes: Int64
    }
}
