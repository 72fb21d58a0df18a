import EventStore
import Proofs
public import TripEvents

/// Takes events in, line by line, in groups that are as large as the input allows: everything that
/// can be read without waiting, up to ten thousand events, goes into one transaction.
public struct Intake: ~Copyable {
    /// The most events of one transaction.
    static let maximumBatchCount = 10_000

    /// The bytes of entries after which a transaction takes no more events, so that memory
    /// does not grow with what senders write.
    static let maximumBatchByteCount = 4 << 20

    private let ledger: Ledger
    private let options: IntakeOptions
    private let now: () -> Timestamp
    private let onReceipt: (LineReceipt) throws -> Void
    private let onProgress: (Progress) throws -> Void

    private var reader = EventLineReader()
    private var batch = EntryBatch()
    private var batchByteCount = 0
    private var sourceChanges = 0
    private var sourceIndex = 0
    private var pending: [PendingLine] = []
    private var random = BufferedRandom()
    private var expectedSize: UInt64?
    private var bytesRead: Int64 = 0

    /// What became of everything so far.
    public private(set) var summary: IntakeSummary

    /// How far the work has got.
    public struct Progress: Sendable {
        /// Lines answered so far.
        public var lines: Int

        /// Bytes read of the current input.
        public var bytes: Int64
    }

    /// A line that has been read and not been answered.
    private struct PendingLine {
        var file: String
        var line: Int
        var rejection: Rejection?
        var excerpt: String
    }

    /// Prepares to take events into a ledger.
    ///
    /// - Parameters:
    ///   - ledger: Where to.
    ///   - options: How.
    ///   - now: Returns the present; asked once for each group.
    ///   - onReceipt: Gets the answer to every line, in order, after the commit that makes it true.
    ///   - onProgress: Told after each commit, when its lines have been answered.
    /// - Throws: `.damaged` or `.inputOutput`.
    public init(
        into ledger: Ledger,
        options: IntakeOptions,
        now: @escaping () -> Timestamp,
        onReceipt: @escaping (LineReceipt) throws -> Void,
        onProgress: @escaping (Progress) throws -> Void = { _ in }
    ) throws(LedgerError) {
        self.ledger = ledger
        self.options = options
        self.now = now
        self.onReceipt = onReceipt
        self.onProgress = onProgress
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
    ///   - name: The name shown in receipts.
    /// - Throws: `LedgerError`, `Errno` if the stream cannot be read, and what `onReceipt` throws.
    public mutating func take(_ stream: borrowing InputStream, named name: String) throws {
        var lines = LineBuffer()
        var number = 0
        bytesRead = 0
        var instant = now()
        while true {
            switch lines.next() {
            case .line(let range):
                number += 1
                take(
                    lines.bytes.span.extracting(range),
                    file: name,
                    number: number,
                    recordedAt: instant
                )
            case .overlong:
                number += 1
                let rejection = Rejection(
                    .lineTooLong,
                    sentence: "The line has more than \(LineBuffer.maximumLineByteCount) bytes."
                )
                pending.append(
                    PendingLine(file: name, line: number, rejection: rejection, excerpt: "")
                )
            case .incomplete:
                if !pending.isEmpty, !options.isAllOrNothing, !stream.isReadable {
                    try commit()
                }
                bytesRead += Int64(try lines.fill(from: stream))
                instant = now()
                continue
            case .end:
                if !options.isAllOrNothing { try commit() }
                return
            }
            if isBatchFull, !options.isAllOrNothing {
                try commit()
                instant = now()
            }
        }
    }

    private mutating func take(
        _ line: Span<UInt8>,
        file name: String,
        number: Int,
        recordedAt: Timestamp
    ) {
        do throws(Rejection) {
            try reader.read(
                line,
                defaultSource: options.defaultSource,
                recordedAt: recordedAt
            )
            let candidate = reader.candidate
            if candidate.sourceChanges != sourceChanges {
                sourceChanges = candidate.sourceChanges
                sourceIndex = batch.index(ofSource: candidate.source)
            }
            batch.append(
                sourceIndex: sourceIndex,
                kind: candidate.kind.rawValue,
                form: candidate.form.rawValue,
                occurredAt: candidate.occurredAt.milliseconds,
                id: candidate.form.hasID ? candidate.id.span : Span(),
                payload: candidate.payload.span
            )
            batchByteCount += candidate.entryBytes
            pending.append(PendingLine(file: name, line: number, rejection: nil, excerpt: ""))
        } catch {
            pending.append(
                PendingLine(
                    file: name,
                    line: number,
                    rejection: error,
                    excerpt: Excerpt.ofLine(line)
                )
            )
        }
    }

    private var isBatchFull: Bool {
        pending.count >= Self.maximumBatchCount || batchByteCount >= Self.maximumBatchByteCount
    }

    /// Stores what all-or-nothing has kept back so far, if nothing was rejected.
    public mutating func finish() throws {
        try commit()
    }

    /// Stores the batch in one transaction and answers every line of it.
    private mutating func commit() throws {
        guard !pending.isEmpty else { return }
        let isRefused = options.isAllOrNothing && pending.contains { $0.rejection != nil }
        let result = isRefused ? nil : try append()
        if let result {
            summary.head = LedgerHead(result.head)
            expectedSize = expectedSize.map { _ in result.head.size }
        }
        var index = 0
        for line in pending {
            let receipt: Receipt
            if let rejection = line.rejection {
                receipt = .rejected(rejection)
            } else {
                receipt = self.receipt(for: index, result)
                index += 1
            }
            summary.count(receipt)
            try onReceipt(
                LineReceipt(
                    file: line.file,
                    line: line.line,
                    receipt: receipt,
                    excerpt: line.excerpt
                )
            )
        }
        pending.removeAll(keepingCapacity: true)
        batch.removeAll()
        batchByteCount = 0
        try onProgress(Progress(lines: summary.read, bytes: bytesRead))
    }

    /// Says that an event has the id of an earlier one of the same batch.
    private func rejection(for index: Int, because earlier: Int?) -> Rejection {
        let accepted = pending.filter { $0.rejection == nil }
        let place = earlier.map { " of \(accepted[$0].file):\(accepted[$0].line)" } ?? ""
        let fields = earlier.map { ledger.difference(batch, index, otherIndex: $0) } ?? []
        return Rejection(
            .idTaken,
            sentence: "It has the id\(place) and differs in \(fields.joined(separator: ", "))."
        )
    }

    private mutating func append() throws -> AppendResult {
        let conditions = AppendConditions(
            expectedSize: expectedSize,
            isAllOrNothing: options.isAllOrNothing
        )
        return try ledger.append(
            batch,
            recordedAt: now(),
            conditions: conditions,
            randomness: &random
        )
    }

    /// Says what became of the event at an index of the batch.
    private func receipt(for index: Int, _ result: AppendResult?) -> Receipt {
        guard let result else { return .heldBack }
        // Positions from the head on were given to events of this batch, and taken back.
        let isStored = { (position: UInt64) in position < result.head.size }
        switch result.outcomes[index] {
        case .appended(let position):
            return isStored(position) ? .appended(position: position) : .heldBack
        case .duplicate(let position):
            return isStored(position) ? .duplicate(of: position) : .heldBack
        case .conflict(let position) where isStored(position):
            return .conflict(with: position, fields: ledger.difference(batch, index, position))
        case .conflict(let position):
            let earlier = result.outcomes.firstIndex(of: .appended(position: position))
            return .rejected(rejection(for: index, because: earlier))
        case .tooLarge:
            preconditionFailure("the reader lets no event through that is too large")
        }
    }
}
