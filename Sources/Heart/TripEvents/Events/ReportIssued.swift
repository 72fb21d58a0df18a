/// A report was handed out: the event holds all that is needed to make the same bytes again,
/// whatever was appended later.
public struct ReportIssued: Hashable, Sendable {
    /// The name of the report.
    public var report: String

    /// Its first day.
    public var periodStart: CivilDate

    /// Its last day.
    public var periodEnd: CivilDate

    /// Its other parameters: every option on which its bytes depend, by its name.
    public var parameters: CustomFields?

    /// SHA-256 of its bytes in 64 hexadecimal digits.
    public var outputHash: String

    /// How many entries the log had.
    public var treeSize: UInt64

    /// The root hash of the log in 64 hexadecimal digits.
    public var treeHash: String

    /// The name of the program's table of rates that it uses; `nil` if it uses none.
    public var table: String?

    /// The rows of that table, as those of ``RatesLoaded``: a later program may have others.
    public var rates: [String]?

    /// The hash of that table in 64 hexadecimal digits.
    public var contentHash: String?

    /// The version of the program that made it.
    public var programVersion: String?

    /// SHA-256 of what was printed, in 64 hexadecimal digits, where its bytes also depend on the
    /// fonts of a machine.
    public var documentHash: String?

    /// Creates the content of the event.
    public init(
        report: String,
        periodStart: CivilDate,
        periodEnd: CivilDate,
        parameters: CustomFields? = nil,
        outputHash: String,
        treeSize: UInt64,
        treeHash: String
    ) {
        self.report = report
        self.periodStart = periodStart
        self.periodEnd = periodEnd
        self.parameters = parameters
        self.outputHash = outputHash
        self.treeSize = treeSize
        self.treeHash = treeHash
    }
}

extension ReportIssued: EventPayload {
    static var blank: ReportIssued {
        ReportIssued(
            report: .blank,
            periodStart: .blank,
            periodEnd: .blank,
            outputHash: .blank,
            treeSize: .blank,
            treeHash: .blank
        )
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.report, &report)
        try visitor.required(.periodStart, &periodStart)
        try visitor.required(.periodEnd, &periodEnd)
        try visitor.optional(.parameters, &parameters)
        try visitor.required(.outputHash, &outputHash)
        try visitor.required(.treeSize, &treeSize)
        try visitor.required(.treeHash, &treeHash)
        try visitor.optional(.table, &table)
        try visitor.optional(.rates, &rates)
        try visitor.optional(.contentHash, &contentHash)
        try visitor.optional(.programVersion, &programVersion)
        try visitor.optional(.documentHash, &documentHash)
    }

    func check() throws(Rejection) {
        guard periodEnd >= periodStart else {
            throw Rejection(
                .invalidValue,
                field: FieldName.periodEnd.jsonName,
                sentence: "The period ends before it starts."
            )
        }
    }
}
