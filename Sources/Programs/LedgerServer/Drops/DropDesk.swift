import HTTPTypes
import LedgerHTTP
import NIOPosix
import Platform
import ServerStore
import ServiceLifecycle
import Synchronization
import SystemPackage
import TripEvents
import TripLedger

/// Has the program `ledger` beside this one read files that are dropped on the page, one at a time.
///
/// Files arrive in parallel, one of each sender. A slow one does not block the desk for others,
/// because a file takes the desk only when it is complete.
///
/// A file stays below the directory `server/drop` of the ledger, which only its owner may enter,
/// until it has been added or given up. A separate process reads it, as `ledger append` does: a
/// file that harms its reader does not affect the server. Temporary files of the reader are there,
/// too, so that nothing is left of a reader that was ended.
final class DropDesk: Service {
    /// The most bytes of a file.
    static let mostBytes: UInt64 = 2 << 30

    /// The part of the free space that a file may take.
    private static let partOfFreeSpace: UInt64 = 10

    /// The limit on the bytes of all arriving files together, in files of the largest size.
    private static let mostLargeFiles = 4

    /// How long a file waits for its owner.
    private static let patience = Duration.seconds(1_800)

    /// How long a reader may take.
    private static let longest = Duration.seconds(3_600)

    /// The time between two looks at whether a reader is still wanted, in milliseconds.
    private static let pauseMilliseconds: CInt = 250

    private static let program = "ledger"

    private let ledger: FilePath
    private let store: OpenedServerState

    /// Told that something was appended.
    private let nudge: @Sendable () -> Void

    /// The directory in which each file has one of its own.
    private let folder: FilePath

    /// One thread listens to the reader, and one writes what comes.
    private let pool = NIOThreadPool(numberOfThreads: 2)

    private let files = Mutex(Files())

    /// The senders that wait until the file at the desk is done.
    private let line = Mutex(DeskLine())

    private let isEnding = Atomic(false)

    /// Prepares to take files for a ledger.
    init(
        of ledger: Ledger,
        store: OpenedServerState,
        whenAppended nudge: @escaping @Sendable () -> Void
    ) {
        self.ledger = ledger.path
        self.store = store
        self.nudge = nudge
        folder = ServerState.path(of: ledger.path).appending("drop")
        // A killed server may have left a file.
        try? Directory.removeTree(folder)
        pool.start()
    }

    /// Takes files until the server ends, which ends the reading of one.
    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await gracefulShutdown() }
            group.addTask { [self] in
                while (try? await Task.sleep(for: .seconds(30))) != nil { forgetOld() }
            }
            await group.next()
            group.cancelAll()
        }
        isEnding.store(true, ordering: .relaxed)
        try await pool.shutdownGracefully()
        try? Directory.removeTree(folder)
    }

    /// Deletes files that their owners have left.
    private func forgetOld() {
        files.withLock { files in
            let all = [files.current].compactMap(\.self) + files.arriving.values
            for file in all where file.isWaiting || !file.stage.isBusy {
                guard ContinuousClock.now - file.readAt > Self.patience else { continue }
                files[file.id] = nil
                delete(file.id)
            }
        }
    }

    /// Deletes a file's directory; under the lock of the files, so that no other file gets a place
    /// in a directory that is being deleted.
    private func delete(_ id: String) {
        // What cannot be deleted now is deleted when the server ends, or starts again.
        try? Directory.removeTree(place(of: id))
        try? Directory.removeEmpty(folder)
    }

    /// Returns the file of an id; a waiting file is read if its turn at the desk has come.
    ///
    /// - Throws: `Problem.unknown` if there is none, or if another holder has sent it.
    func file(_ id: String, of holder: String) throws(Problem) -> DroppedFile {
        let file = try change(id, of: holder) { (file) throws(Problem) in file }
        return file.isWaiting ? try seat(id, of: holder) : file
    }

    private func change<Result>(
        _ id: String,
        of holder: String,
        _ body: (inout DroppedFile) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        try files.withLock { (files) throws(Problem) in
            guard var file = files[id], file.holder.hasSameBytes(as: holder) else {
                throw .unknown
            }
            defer { files[id] = file }
            return try body(&file)
        }
    }

    private var isWanted: Bool { !isEnding.load(ordering: .relaxed) }

    /// The files that are here, by their ids.
    private struct Files {
        /// The file at the desk: it is read, and then shown to its owner.
        var current: DroppedFile?

        /// The files that are arriving, and those that are complete and wait for the desk.
        var arriving: [String: DroppedFile] = [:]

        subscript(id: String) -> DroppedFile? {
            get { current?.id == id ? current : arriving[id] }
            set {
                if current?.id == id { current = newValue } else { arriving[id] = newValue }
            }
        }

        /// The files of one sender that are arriving, or that are complete and wait.
        func arriving(from holder: String) -> [DroppedFile] {
            arriving.values.filter { $0.holder.hasSameBytes(as: holder) }
        }
    }
}

// MARK: - Taking a file

extension DropDesk {
    /// Returns how many bytes a file may have now.
    ///
    /// - Throws: `Problem.notStored` if the free space of the disk cannot be read.
    func room() throws(Problem) -> UInt64 {
        guard let free = try? Directory.freeBytes(at: ledger) else { throw .notStored }
        return min(Self.mostBytes, free / Self.partOfFreeSpace)
    }

    /// Takes a file, piece by piece, and has it read without being added.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - holder: Who sends it.
    ///   - isOthersOnly: Whether events of the ledger's own are refused.
    ///   - most: How many bytes it may have.
    ///   - pieces: Hands over the pieces, each to be written before the next.
    /// - Returns: The file, which is read, or waits for that.
    /// - Throws: `Problem` if another file is in the way, or it cannot be stored.
    func take(
        _ name: String,
        from holder: String,
        isOthersOnly: Bool,
        atMost most: Int,
        pieces: (_ write: (_ piece: [UInt8]) async throws(Problem) -> Void) async throws(Problem)
            -> Void
    ) async throws(Problem) -> DroppedFile {
        let id = try begin(name, holder, isOthersOnly)
        do throws(Problem) {
            let place = try await onThread { [self] in try makePlace(of: id, named: name) }
            defer { try? place.close() }
            try await pieces { (piece) async throws(Problem) in
                try self.note(piece.count, of: id, atMost: most)
                try await self.onThread { _ = try place.writeAll(piece) }
            }
            return try seat(id, of: holder)
        } catch {
            forget(id)
            throw error
        }
    }

    /// Lets a file arrive; when it is complete, it replaces a waiting file of the same sender.
    ///
    /// While another sender has the desk, or is next, the sender waits in line before sending.
    private func begin(
        _ name: String,
        _ holder: String,
        _ isOthersOnly: Bool
    ) throws(Problem) -> String {
        let id =
            String(UInt64.random(in: 0 ... .max), radix: 36)
            + String(UInt64.random(in: 0 ... .max), radix: 36)
        try files.withLock { (files) throws(Problem) in
            guard files.arriving(from: holder).allSatisfy(\.isWaiting) else { throw .ownDrop }
            let desk = files.current?.desk ?? .free
            guard line.withLock({ $0.admits(holder, to: desk, at: .now) }) else {
                throw .otherDrop
            }
            var file = DroppedFile(id: id, holder: holder, name: name)
            file.options.isOthersOnly = isOthersOnly
            files.arriving[id] = file
        }
        return id
    }

    private func makePlace(of id: String, named name: String) throws -> FileDescriptor {
        _ = try store.orCreated()
        try files.withLock { _ in
            try Directory.make(place(of: id).appending("file"))
            try Directory.make(temporaryFolder(of: id))
        }
        return try DurableFile.create(path(of: id, named: name))
    }

    /// Notes that more bytes of a file have arrived.
    ///
    /// - Throws: `Problem` if the file was given up, or if arriving files take too much room
    ///   together.
    private func note(_ count: Int, of id: String, atMost most: Int) throws(Problem) {
        try files.withLock { (files) throws(Problem) in
            guard var file = files.arriving[id] else { throw .unknown }
            file.byteCount += count
            files.arriving[id] = file
            let sum = files.arriving.values.reduce(0) { $0 + $1.byteCount }
            guard sum / Self.mostLargeFiles <= most else { throw .manyDrops }
        }
    }

    /// Has a complete file read, in place of an idle file at the desk; or lets it wait in line,
    /// where it keeps its place while its sender asks for it.
    private func seat(_ id: String, of holder: String) throws(Problem) -> DroppedFile {
        let seated = files.withLock { files -> DroppedFile? in
            let desk = files.current?.desk ?? .free
            guard var file = files.arriving[id] else { return nil }
            for other in files.arriving(from: holder) where other.isWaiting && other.id != id {
                files.arriving[other.id] = nil
                delete(other.id)
            }
            guard line.withLock({ $0.admits(holder, to: desk, at: .now) }) else {
                files.arriving[id]?.wait(at: .now)
                return nil
            }
            if let old = files.current { delete(old.id) }
            file.begin(.looking)
            files.arriving[id] = nil
            files.current = file
            return file
        }
        guard let seated else {
            return try change(id, of: holder) { (file) throws(Problem) in file }
        }
        startReader(of: seated)
        return seated
    }

    /// Runs disk access on a separate thread.
    private func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await pool.runIfActive(body)
        } catch let error as Errno where error == .noSpace || error.rawValue == EDQUOT {
            throw .diskFull
        } catch is CancellationError {
            throw .stopping
        } catch {
            ServerLog.complain("\(folder): \(error)")
            throw isWanted ? .notStored : .stopping
        }
    }

    /// Returns the directory of a file; the file lies in a directory within it, under its own name.
    private func place(of id: String) -> FilePath { folder.appending(id) }

    private func path(of id: String, named name: String) -> FilePath {
        place(of: id).appending("file").appending(name)
    }

    private func temporaryFolder(of id: String) -> FilePath { place(of: id).appending("tmp") }
}

// MARK: - Giving it up

extension DropDesk {
    /// Deletes a file, and ends its reader.
    ///
    /// - Throws: `Problem` if it is being added, because stored events stay.
    func giveUp(_ id: String, of holder: String) throws(Problem) {
        let isWaiting = try change(id, of: holder) { (file) throws(Problem) in
            guard file.stage != .adding else { throw .dropIsAdded }
            return file.isWaiting
        }
        if isWaiting { line.withLock { $0.leave(holder) } }
        forget(id)
    }

    private func forget(_ id: String) {
        files.withLock { files in
            files[id] = nil
            delete(id)
        }
    }
}

// MARK: - Reading it

extension DropDesk {
    /// Has a file read.
    ///
    /// - Parameters:
    ///   - id: The file.
    ///   - holder: Who has sent it.
    ///   - stage: Whether it is added or only looked at.
    ///   - change: Changes the owner's options for it.
    /// - Returns: The file, whose reader has begun.
    /// - Throws: `Problem` if it is not there, or not ready for that.
    func read(
        _ id: String,
        of holder: String,
        _ stage: DroppedFile.Stage,
        _ change: (inout DroppedFile.Options) -> Void
    ) throws(Problem) -> DroppedFile {
        let file = try self.change(id, of: holder) { (file) throws(Problem) in
            let isReady =
                switch file.stage {
                case .looked: true
                case .failed: stage == .looking
                case .arriving, .looking, .adding, .added: false
                }
            guard isReady else { throw .dropNotReady }
            if let since = file.servedAt {
                let goesOn = line.withLock { $0.goesOn(servedAt: since, at: .now) }
                guard goesOn else { throw .otherIsNext }
            }
            change(&file.options)
            file.begin(stage)
            return file
        }
        startReader(of: file)
        return file
    }

    private func startReader(of file: DroppedFile) {
        pool.submit { [self] state in
            guard case .active = state else { return }
            let outcome = outcome(of: file)
            finish(file, outcome)
        }
    }

    /// How a reader ended.
    private enum Outcome {
        case ended(ProcessEnding)
        case tooLong
        case unwanted
        case notStarted
    }

    /// Runs the reader of a file to its end.
    private func outcome(of file: DroppedFile) -> Outcome {
        do {
            let child = try ChildProcess.start(
                ProgramBeside.place(of: Self.program),
                arguments: try arguments(for: file),
                in: place(of: file.id).appending("file"),
                temporaryFilesIn: try Directory.absolute(temporaryFolder(of: file.id))
            )
            let end = ContinuousClock.now + Self.longest
            while true {
                let isTold = files.withLock { files in
                    files.current?.id == file.id ? files.current?.isToldWhole : nil
                }
                guard let isTold, isWanted else {
                    child.interrupt()
                    return .unwanted
                }
                if ContinuousClock.now > end {
                    child.interrupt()
                    return .tooLong
                }
                switch try child.next(withinMilliseconds: Self.pauseMilliseconds) {
                case .line(let line):
                    files.withLock { files in
                        if files.current?.id == file.id { files.current?.note(line) }
                    }
                case .silence: continue
                case .end:
                    // A reader with too long a line would wait for ever to write the rest.
                    if !isTold { child.interrupt() }
                    return .ended(child.end())
                }
            }
        } catch {
            ServerLog.complain("\(ProgramBeside.place(of: Self.program)): \(error)")
            return .notStarted
        }
    }

    private func arguments(for file: DroppedFile) throws -> [String] {
        var words = ["_drop", "--ledger=\(try Directory.absolute(ledger))"]
        if file.stage == .looking { words.append("--dry-run") }
        let options = file.options
        if options.isOthersOnly { words.append("--others-only") }
        if let map = options.map {
            let path = place(of: file.id).appending("map.json")
            try DurableFile.put(Array(map.utf8), at: path, isReplacing: true)
            words.append("--map=\(try Directory.absolute(path))")
        }
        if let source = options.source { words.append("--source=\(source)") }
        if let vehicle = options.vehicle { words.append("--vehicle=\(vehicle)") }
        if let zone = options.timeZone { words.append("--time-zone=\(zone)") }
        return words + ["--", file.name]
    }

    /// Notes how the reader of a file ended.
    private func finish(_ file: DroppedFile, _ outcome: Outcome) {
        if file.stage == .adding { nudge() }
        files.withLock { files in
            guard files.current?.id == file.id else { return delete(file.id) }
            files.current?.noteRead(at: .now)
            switch outcome {
            case .ended(.exit(0)) where files.current?.isToldWhole == true:
                files.current?.stage = file.stage == .adding ? .added : .looked
                if file.stage == .adding { delete(file.id) }
            case .ended(.exit) where files.current?.hasFailed == true:
                files.current?.stage = .failed
            case .ended(let ending):
                ServerLog.complain("`ledger _drop` ended by \(ending)")
                files.current?
                    .fail("reader_ended", "The file needs more memory than it may, or time.")
            case .tooLong:
                files.current?.fail("too_long", "Reading the file takes more than an hour.")
            case .unwanted: files.current?.fail("stopping", "The server ends.")
            case .notStarted:
                files.current?.fail("no_reader", "The program `ledger` cannot be run.")
            }
        }
    }
}

extension Problem {
    /// Another file is in the way.
    fileprivate static let otherDrop = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Another file is being read",
        detail: "Files are read one at a time. Send it again when that one is done, at the latest "
            + "five minutes after it was read: one that asks each half minute keeps its place.",
        headers: [.retryAfter: "\(DeskLine.pause.components.seconds)"]
    )

    /// A file of the same sender is on its way.
    fileprivate static let ownDrop = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Another file of yours is on its way",
        detail: "One file comes at a time. Send it again when that one is there.",
        headers: [.retryAfter: "\(DeskLine.pause.components.seconds)"]
    )

    /// Arriving files leave no room for more.
    fileprivate static let manyDrops = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Too many files are on their way",
        detail: "There is no room for all of them. Send it again when others are read.",
        headers: [.retryAfter: "\(DeskLine.pause.components.seconds)"]
    )

    /// The turn of a file is over, and another one waits.
    fileprivate static let otherIsNext = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Another file is next",
        detail: "This one was read five minutes ago, and another one waits since. Send it again "
            + "when that one is done.",
        headers: [.retryAfter: "\(DeskLine.pause.components.seconds)"]
    )

    /// The file is being added.
    fileprivate static let dropIsAdded = Problem(
        kind: "conflict",
        status: .conflict,
        title: "The file is being added",
        detail: "What is stored stays. Wait for its end, and void its trips then."
    )

    /// The file is read, or has been added.
    fileprivate static let dropNotReady = Problem(
        kind: "conflict",
        status: .conflict,
        title: "The file is not ready for that",
        detail: "It must have been looked at, and not be read just now."
    )
}
