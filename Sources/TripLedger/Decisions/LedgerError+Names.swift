package import SystemPackage

extension LedgerError {
    /// Says that there is no place of a name.
    package init(noPlace name: String, among known: [String], at path: FilePath) {
        self.init(no: "place", name, among: known, at: path, maker: "ledger place save")
    }

    /// Says that there is no routine of a name.
    init(noRoutine name: String, among known: [String], at path: FilePath) {
        self.init(no: "routine", name, among: known, at: path, maker: "ledger routine save")
    }

    /// Says that nothing of a kind has a name, and what there is.
    private init(
        no kind: String,
        _ name: String,
        among known: [String],
        at path: FilePath,
        maker: String
    ) {
        self.init(
            .notFound,
            at: path.string,
            cause: "there is no \(kind) \(name)",
            hint: known.isEmpty
                ? "There is none at all yet; `\(maker)` makes one"
                : "Known \(kind)s: \(known.joined(separator: ", "))"
        )
    }
}
