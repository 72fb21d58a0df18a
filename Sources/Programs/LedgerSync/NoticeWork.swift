import JSONText
import LedgerKeeping
import LedgerRows
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// Sends notifications to one address until each is accepted: each once, or again after a kill.
struct NoticeWork {
    /// The first pause after a failure and the longest, in milliseconds.
    private static let pauses: ClosedRange<UInt32> = 1_000...300_000

    /// The pause between two looks, in milliseconds.
    private static let pauseBetweenLooks: UInt32 = 1_000

    private static let mailScheme = "mailto:"
    private static let mostMailerBytes = 1 << 20

    /// How much of the end of a mailer's error messages is read for their last line.
    private static let mostBytesOfReason = 4_096

    private let ledger: Ledger
    private let address: String
    private let options: NoticeOptions

    init(of ledger: Ledger, to address: String, _ options: NoticeOptions) {
        self.ledger = ledger
        self.address = address
        self.options = options
    }

    /// Sends all notices, and goes on until the process is ended, unless asked to do that once.
    ///
    /// - Returns: The exit code: 1 if a notice waits that could not be sent.
    /// - Throws: `LedgerError`, `Errno`, `Refused`.
    func run() throws -> Int32 {
        if let sentence = options.sentence { return try tell(sentence) }
        let shown = Excerpt.address(address)
        let notice = WaitNotice { _ in
            SyncProgram.note("ledger-sync: another process tells \(shown); waiting for it\n")
        }
        return try NoticeBook.holding(of: ledger, for: address, notice) { book in
            var book = book
            var watch = try beginning(with: &book)
            var reminders = ReminderLook(ledger, told: book.reminders)
            var pause = Self.pauses.lowerBound
            while true {
                if book.hasRoom {
                    try look(&watch, &reminders, &book)
                } else if try book.strikeErased(in: ledger) != nil {
                    try book.save()
                }
                do {
                    try tell(&book)
                    if options.isOnce { return 0 }
                    pause = Self.pauses.lowerBound
                    WallClock.pause(milliseconds: Self.pauseBetweenLooks)
                } catch let error as Untold {
                    SyncProgram.complain("not told: \(error.cause)", at: shown)
                    if options.isOnce { return 1 }
                    WallClock.pause(milliseconds: max(pause, error.milliseconds))
                    pause = min(pause * 2, Self.pauses.upperBound)
                }
            }
        }
    }

    /// Sends one sentence, and returns the exit code.
    private func tell(_ sentence: String) throws -> Int32 {
        let notice = Notice(ofMonth: sentence, language: try language())
        do {
            try tell(notice)
            return 0
        } catch let error as Untold {
            SyncProgram.complain("not told: \(error.cause)", at: Excerpt.address(address))
            return 1
        }
    }

    private func tell(_ notice: Notice) throws {
        if address.hasPrefix(Self.mailScheme) { try mail(notice) } else { try post(notice) }
    }

    /// Begins to watch at the position of the book.
    ///
    /// Reminders that held before the very first look count as known, unless a position was
    /// requested.
    private func beginning(with book: inout NoticeBook) throws -> LedgerWatch {
        let size = try ledger.head().size
        if let position = book.position, position <= size {
            return try LedgerWatch(ledger, since: position, lookedAt: book.lookedAt)
        }
        if let position = book.position {
            SyncProgram.note(
                "ledger-sync: the log had \(position) entries and has \(size): an older copy was "
                    + "restored; notices begin anew\n"
            )
        }
        if options.since == nil {
            let now = WallClock.now
            var known = ReminderLook(ledger)
            let past: [LedgerNotification.Kind] = [.odometerOnly, .purposeWaiting]
            book.reminders = Set(
                try known.news(asOf: now).filter { past.contains($0.kind) }.map(\.reminderName)
            )
        }
        return try LedgerWatch(ledger, since: options.since)
    }

    /// Looks for notifications, and records them.
    private func look(
        _ watch: inout LedgerWatch,
        _ reminders: inout ReminderLook,
        _ book: inout NoticeBook
    ) throws {
        let now = WallClock.now
        var found: [LedgerNotification] = []
        repeat { found += try watch.notifications(asOf: now) } while !watch.isCaughtUp
        if let erased = try book.strikeErased(in: ledger) {
            // A trip that was erased is not told with what it was.
            found.removeAll { news in news.trip.map { erased.mayConcern($0.id) } ?? false }
            reminders = ReminderLook(ledger, told: book.reminders)
        }
        found += try reminders.news(asOf: now)
        guard !found.isEmpty || watch.position != book.position || reminders.told != book.reminders
        else { return }
        let settings = try ledger.settings()
        let units = settings.units(at: now)
        let language = settings.language(at: now)
        let clock = ledger.clock
        book.add(
            found.filter { options.kinds?.contains($0.kind) ?? true }
                .map { notification in
                    NotificationMessage(notification, unit: units, clock: clock, language: language)
                        .json
                }
        )
        book.position = watch.position
        book.lookedAt = now
        book.reminders = reminders.told
        try book.save()
    }

    /// Sends the waiting notices, one after the other.
    ///
    /// - Throws: `Untold` if one was not taken; `LedgerError`, `Refused`.
    private func tell(_ book: inout NoticeBook) throws {
        while let first = book.waiting.first {
            try tell(Notice(first, language: try language()))
            book.strikeFirst()
            try book.save()
        }
    }

    /// Returns the language of the ledger's settings; `nil` for none.
    private func language() throws -> String? { try ledger.settings().language(at: WallClock.now) }

    private func post(_ notice: Notice) throws {
        let fields = notice.fields(
            as: options.form,
            key: try options.secretFile.map(NoticeOptions.secret),
            token: try options.tokenFile.map(NoticeOptions.secret)
        )
        do {
            let client = try HTTPClient(
                address,
                socket: nil,
                fields: fields,
                timeoutSeconds: options.timeout
            )
            let answer = try client.send("", body: notice.body(as: options.form))
            guard (200..<300).contains(answer.status) else {
                throw Untold(
                    cause: "it answers \(answer.status)",
                    milliseconds: UInt32(answer.secondsToWait) * 1_000
                )
            }
        } catch let error as Unreached {
            throw Untold(cause: "\(error)")
        }
    }

    private func mail(_ notice: Notice) throws {
        let receiver = String(address.dropFirst(Self.mailScheme.count))
        let errors = try NamelessFile()
        let outcome: ProgramRun.Outcome
        do {
            outcome = try ProgramRun.run(
                options.mailer,
                ["-i", "--", receiver],
                input: NamelessFile(holding: notice.letter(to: receiver, now: WallClock.now)),
                output: NamelessFile(),
                errors: errors,
                mostBytes: Self.mostMailerBytes,
                until: ContinuousClock.now + .seconds(options.timeout),
                while: { true }
            )
        } catch let error as Errno {
            throw Untold(cause: "\(options.mailer) cannot be started: \(error)")
        }
        switch outcome {
        case .ended(.exit(0)): return
        case .ended(.exit(let code)):
            let reason = try Self.lastLine(of: errors).map { ": \($0)" } ?? ""
            throw Untold(cause: "\(options.mailer) exited with \(code)\(reason)")
        case .ended, .tooLong, .tooMuch, .unwanted:
            throw Untold(cause: "\(options.mailer) did not take it in time")
        }
    }

    /// Returns the last line that a program wrote, to show it; `nil` if it wrote none.
    private static func lastLine(of file: NamelessFile) throws -> String? {
        let start = max(0, try file.byteCount - mostBytesOfReason)
        let end = try file.bytes(from: start, atMost: mostBytesOfReason)
        return end.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .last { line in line.contains { $0 > UInt8(ascii: " ") } }
            .map { Excerpt.sentence(String(decoding: $0, as: UTF8.self)) }
    }
}

/// Why a notice was not accepted this time.
private struct Untold: Error {
    /// The cause, without a full stop.
    let cause: String

    /// How long the receiver asks to wait, in milliseconds.
    var milliseconds: UInt32 = 0
}
