import ArgumentParser
import ServerStore
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// Erases items that were set aside from a source's deliveries: `ledger erase --set-aside`.
struct SetAsideErasure {
    private let source: String
    private let path: FilePath
    private let options: GlobalOptions<PlainFormat>

    /// Prepares to erase the items of a source in the ledger at a path.
    init(source: String, in path: FilePath, _ options: GlobalOptions<PlainFormat>) {
        self.source = source
        self.path = path
        self.options = options
    }

    /// Erases them, or shows how many they would be.
    ///
    /// - Throws: `LedgerError`; `ExitCode` if nothing was to be erased yet.
    func run(isDone: Bool) throws {
        let state = try ServerState.open(of: path, notice: Diagnostic.waiting)
        defer { state?.close() }
        var erased = ErasedItems(source: source, isDone: isDone)
        guard isDone else {
            try state?
                .forEachSetAside { item in
                    if isMeant(item) { erased.count += 1 }
                    return true
                }
            try Output.show(erased, as: options.format, text: \.text)
            Diagnostic.say("Nothing was erased. Say --yes to erase it.\n")
            throw ExitCode(1)
        }
        erased.count = try state?.removeSetAside(where: isMeant) ?? 0
        try Output.show(erased, as: options.format, text: \.text)
        if let state { try Self.sweep(state, in: path) }
    }

    private func isMeant(_ item: NumberedItem) -> Bool {
        // Names that Unicode takes for equal are different sources.
        item.item.source.hasSameBytes(as: source)
    }

    /// Writes the file anew, if that is still to be done, so that it contains no erased bytes.
    ///
    /// - Throws: `.inputOutput` if another process has it open.
    static func sweep(in path: FilePath) throws(LedgerError) {
        guard let state = try ServerState.open(of: path, notice: Diagnostic.waiting) else { return }
        defer { state.close() }
        try sweep(state, in: path)
    }

    private static func sweep(
        _ state: ServerState,
        in path: FilePath
    ) throws(LedgerError) {
        guard try state.setAsideTotals().needsSweep else { return }
        guard try state.sweep() else {
            throw EraseCommand.stillOpenElsewhere(at: ServerState.path(of: path).string)
        }
    }

    /// Reports, after entries were erased, the data that an erasure of entries does not reach.
    static func noteRest(in path: FilePath) throws {
        let state = try ServerState.open(of: path, isReadOnly: true)
        defer { state?.close() }
        if let peers = try state?.peers(), !peers.isEmpty {
            let ids = peers.joined(separator: ", ")
            Diagnostic.note(
                "`ledger sync` has exchanged events with the ledger \(ids): erase it there, too"
            )
        }
        guard let count = try state?.setAsideTotals().itemCount, count > 0 else { return }
        let items = Count.text(count, "refused item", "refused items")
        Diagnostic.note(
            "this does not reach \(items): see `ledger refused`, and erase those of a source with "
                + "`ledger erase --set-aside`"
        )
    }
}

/// The number of set-aside items that were erased, or would be: `erased-items.v1.schema.json`.
struct ErasedItems: Tabular {
    /// The source of the items.
    let source: String

    /// Whether they are gone.
    let isDone: Bool

    /// How many.
    var count = 0

    /// For people.
    var text: String {
        let items = Count.text(count, "refused item", "refused items")
        let deed = isDone ? "Erased" : "Would erase"
        return "\(deed) \(items) of \(Excerpt.escaped(source)).\n"
    }

    /// For programs.
    static let columns = Columns<ErasedItems> {
        Column.text("source") { $0.source }
        Column.boolean("erased") { $0.isDone }
        Column.integer("items") { $0.count }
    }
}
