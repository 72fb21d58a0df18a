/// A report was handed out.
public struct ReportIssued: Hashable, Sendable {
    /// Which report.
    public var report: String

    /// Its first day.
    public var periodStart: CivilDate

    /// Its last day.
    public var periodEnd: CivilDate

    /// What else it was asked for.
    public var parameters: CustomFields?

    /// SHA-256 of its bytes in 64 hexadecimal digits.
    public var outputHash: String

    /// How many entries the log had.
    public var treeSize: UInt64

    /// The root hash of the log in 64 hexadecimal digits.
    public var treeHash: String

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
