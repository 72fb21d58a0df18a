extension Environment {
    /// Says how to open an environment. Nothing is left to LMDB's defaults.
    package struct Options: Sendable {
        /// How many tables can be open.
        package var maximumTables: Int

        /// How large the map is at least at the start, in bytes; it grows when it has to.
        package var initialMapBytes: Int

        /// Whether nothing can be written; such an environment may lie on read-only media.
        package var isReadOnly: Bool

        /// How many readers, of all processes, there can be at a time.
        package var maximumReaders: Int

        /// Creates options.
        package init(
            maximumTables: Int,
            initialMapBytes: Int,
            isReadOnly: Bool,
            maximumReaders: Int
        ) {
            self.maximumTables = maximumTables
            self.initialMapBytes = initialMapBytes
            self.isReadOnly = isReadOnly
            self.maximumReaders = maximumReaders
        }
    }
}
