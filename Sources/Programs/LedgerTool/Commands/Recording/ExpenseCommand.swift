import ArgumentParser
import Platform
import Projections
import Proofs
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger expense`.
struct ExpenseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expense",
        abstract: "Records or lists tolls, parking, fuel and charging.",
        discussion: """
            An expense stays in the log as it was entered. `add --corrects` puts another one in \
            its place, `void` takes it back, and `ledger history --all` shows both.

            Examples:
              ledger expense add fuel 61.20 EUR --vehicle van --quantity 38.5 --at '08:30'
              ledger expense list --year 2026
            """,
        subcommands: [ExpenseAddCommand.self, ExpenseVoidCommand.self, ExpenseListCommand.self]
    )
}

/// The command `ledger expense add`.
struct ExpenseAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Records what was paid beside the distance.",
        discussion: """
            The amount is kept exactly as it is typed. With --trip it is of that trip and its \
            vehicle; else say --vehicle. Without --at or --day it was paid now. Of the file of a \
            receipt only the SHA-256 is kept, so that the file can be recognised later: keep it.

            Fuel, charging and parking are compared with where the trips of the vehicle were \
            around that time, if --place or --lat and --lon say where they were paid. What does \
            not fit is said at once, and never refused.

            Examples:
              ledger expense add fuel 61.20 EUR --vehicle van --quantity 38.5 --place Depot
              ledger expense add toll 12.40 EUR --trip last --receipt toll.pdf
              ledger expense add parking 4 GBP --vehicle van --day 2026-03-14
              ledger expense add fuel 62.10 EUR --corrects 3f2a91c0
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "What was paid for.")
    var kind: ExpenseKind

    @Argument(help: "How much.")
    var amount: ExactDecimal

    @Argument(help: "The currency: three letters (ISO 4217).")
    var currency: String

    @Option(help: "The vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(help: "The trip on which it was paid, or for which.")
    var trip: TripReference?

    @Option(
        help: ArgumentHelp(
            "When it was paid: \(TypedTime.forms) (default: now).",
            valueName: "time"
        )
    )
    var at: TypedTime?

    @Option(help: "The day on which it was paid, if the time is not known.")
    var day: TypedDay?

    @Option(help: "The saved place where it was paid.", completion: .place)
    var place: String?

    @Option(help: "The latitude where it was paid, in degrees.")
    var lat: ExactDecimal?

    @Option(help: "The longitude where it was paid, in degrees.")
    var lon: ExactDecimal?

    @Option(help: "Who was paid.")
    var merchant: String?

    @Option(help: "Anything else worth keeping.")
    var note: String?

    @Option(help: "How much of it was bought.")
    var quantity: ExactDecimal?

    @Option(help: "The unit of the quantity (default: kWh for charging, else l).")
    var unit: QuantityUnit?

    @Option(help: "What the odometer of the vehicle showed; it is appended as a reading.")
    var odometer: ExactDecimal?

    @Option(
        help: "The file of the receipt: its SHA-256 is kept, not the file.",
        completion: .file()
    )
    var receipt: String?

    @Option(
        help: ArgumentHelp(
            "The expense that this one replaces: the first digits of its id. What is not given "
                + "stays as it was.",
            valueName: "expense"
        )
    )
    var corrects: String?

    func validate() throws {
        guard at == nil || day == nil else {
            throw ValidationError("--at and --day both say when it was paid: use one.")
        }
        guard (lat == nil) == (lon == nil) else {
            throw ValidationError("--lat and --lon belong together.")
        }
        guard unit == nil || quantity != nil else {
            throw ValidationError("--unit is that of --quantity: say how much.")
        }
        guard corrects == nil || at == nil else {
            throw ValidationError("A correction keeps the time: leave --at out.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        var expense = ExpenseRecorded(
            kind: kind,
            amount: amount,
            currency: currency.uppercased()
        )
        expense.vehicle = vehicle
        let clock = try day == nil ? nil : ledger.requireClock()
        expense.day = clock.flatMap { day?.day(on: $0.day(of: EventTime(WallClock.now))) }
        expense.place = place
        expense.latitude = lat
        expense.longitude = lon
        expense.merchant = merchant
        expense.notes = note
        expense.quantity = quantity
        let usualUnit: QuantityUnit = kind == .charging ? .kilowattHours : .liters
        expense.quantityUnit = quantity == nil ? nil : unit ?? usualUnit
        expense.receiptHash = try receipt.map { try ReceiptFile.hash(of: $0) }
        var edit = ExpenseEdit(expense)
        edit.trip = trip
        edit.paidAt = try at?.time(in: ledger)
        edit.odometer = odometer
        edit.corrects = corrects
        try decision.decide(.recordExpense(edit), in: ledger, options, saying: Self.sentence)
    }

    /// Returns a sentence with the id of the expense.
    static func sentence(_ outcome: DecisionOutcome) -> String {
        guard let recorded = outcome.expense else { return "" }
        let expense = recorded.expense
        let amount = MoneyText.text(expense.amount, expense.currency)
        let end = expense.isVoid == true ? " is taken back" : ""
        return "Expense \(recorded.id.short): \(expense.kind.rawValue), \(amount)\(end).\n"
    }
}

/// The command `ledger expense void`.
struct ExpenseVoidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Takes back what was entered as an expense.",
        discussion: """
            It stays in the log, and counts nowhere. `add --corrects` brings it back.

            Example:
              ledger expense void 3f2a91c0 --why "Entered twice"
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The expense: the first digits of its id.")
    var expense: String

    @Option(help: "Why.")
    var why: String

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try decision.decide(
            .voidExpense(expense, why: why),
            in: ledger,
            options,
            saying: ExpenseAddCommand.sentence
        )
    }
}

/// The command `ledger expense list`.
struct ExpenseListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists what was paid beside the distance, oldest first.",
        discussion: """
            Text ends with the sum for each kind and currency. With --voided those are listed too \
            that were taken back.

            Examples:
              ledger expense list --year 2026 --vehicle van
              ledger expense list --kind fuel --format csv
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var table: TableOptions
    @OptionGroup var days: PeriodOptions

    @Option(help: "Only those of this vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(help: "Only those of this kind.")
    var kind: ExpenseKind?

    @Flag(help: "List those too that were taken back.")
    var voided = false

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        var sums = ""
        var unknown: UnknownName?
        try options.list(
            from: ledger,
            in: table,
            ifEmpty: "No expenses; `ledger expense add KIND AMOUNT CURRENCY` records one."
        ) { snapshot in
            let book = try snapshot.expenses()
            let rows = (book.expenses + (voided ? book.voided : []))
                .map { ListedExpense($0, localDay: period.localDay) }
                .filter { row in
                    period.containsDay(row.day)
                        && (kind == nil || row.recorded.expense.kind == kind)
                        && (vehicle.map { row.recorded.isOf(vehicle: $0) } ?? true)
                }
                .sorted { $0.sortKey < $1.sortKey }
            sums = ExpenseSum.text(of: rows.map(\.recorded))
            let all = book.expenses + book.voided
            if let vehicle, !all.contains(where: { $0.isOf(vehicle: vehicle) }) {
                unknown = try snapshot.unknown(vehicle: vehicle)
            }
            return rows
        }
        Diagnostic.note(unknown)
        if options.format == .text, table.excel == nil, !sums.isEmpty {
            try Output.standard.writing { try $0.write("\n" + sums) }
        }
    }
}

/// The file of a receipt; only its hash is kept.
enum ReceiptFile {
    private static let maximumByteCount = 1 << 28

    /// Returns the SHA-256 of a file in hexadecimal digits.
    ///
    /// - Throws: `LedgerError.unreadableInput`.
    static func hash(of name: String) throws -> String {
        do {
            let bytes = try WholeFile.read(FilePath(name), maximumByteCount: maximumByteCount)
            return SHA256.digest(bytes.span).description
        } catch let error as Errno {
            throw LedgerError(.unreadableInput, at: name, cause: error.description)
        }
    }
}
