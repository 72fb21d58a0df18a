import SystemPackage

extension ViewStore {
    /// Creates empty views in a temporary directory, for as long as this process keeps them open.
    static func createPassing() throws -> ViewStore {
        let path = Directory.temporary.appending("ledger-views-\(UInt64.random(in: 0 ... .max))")
        let store = try create(at: path)
        // The open files live on without names, so that not even a killed process leaves anything.
        try? Directory.remove(path)
        return store
    }
}
