package import SystemPackage

extension LedgerStatus {
    private static let shownSources = 5

    /// Keeps one source only, if one is named.
    ///
    /// - Throws: `.notFound` if there is no such source.
    package mutating func keep(
        source name: String?,
        at path: FilePath
    ) throws(LedgerError) {
        guard let name else { return }
        let names = sources.map(\.name)
        sources.removeAll { $0.name != name }
        guard sources.isEmpty else { return }
        let known = names.prefix(Self.shownSources).joined(separator: ", ")
        throw LedgerError(
            .notFound,
            at: path.string,
            cause: "no source is called \(name)",
            hint: names.isEmpty
                ? "Nothing has been reported yet"
                : "There is \(known)" + (names.count > Self.shownSources ? ", …" : "")
        )
    }
}
