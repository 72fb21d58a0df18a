extension Environment {
    /// Says how to open an environment.
    ///
    /// Nothing is left to LMDB's defaults.
    package struct Options: Sendable {
        /// How many tables can be open.
        package var maximumTables: Int

        /// How large the map is at least at the start, in bytes; it grows when it has to.
        package var initialMapBytes: Int

        /// Whether nothing can be written; such an environment may lie on read-only media.
        package var isReadOnly: Bool

        /// How many readers, of all processes, there can be at a time.
        package var maximumReaders: Int

        /// Whether a commit is durable when it returns; if not, only `sync()` makes what was
        /// committed durable, and a crash of the machine before that may leave nothing of use.
        package var syncsCommits = true

        /// Whom to tell when another process keeps a write waiting, and when.
        package var waitReport: WaitReport?

        /// Creates options.
        package init(
            maximumTables: Int,
            initialMapBytes: Int,
            isReadOnly: Bool,
            maximumReaders: Int,
            waitReport: WaitReport? = nil
        ) {
            self.maximumTables = maximumTables
            self.initialMapBytes = initialMapBytes
            self.isReadOnly = isReadOnly
            self.maximumReaders = maximumReaders
            self.waitReport = waitReport
        }
    }

    /// Says whom to tell that a write waits for another process, which LMDB does without an end.
    package struct WaitReport: Sendable {
        /// How long to wait before telling.
        package var delay: Duration

        /// Called once per waiting write, on a thread of its own.
        package var report: @Sendable (WriterProcess) -> Void

        /// Creates a report.
        package init(delay: Duration, report: @escaping @Sendable (WriterProcess) -> Void) {
            self.delay = delay
            self.report = report
        }
    }
}
