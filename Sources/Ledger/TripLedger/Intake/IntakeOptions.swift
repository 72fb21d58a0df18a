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

    /// Whether it is noted when events happened that are no files in other formats, too.
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
