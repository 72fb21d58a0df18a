import EmbeddedFiles

extension RateTable {
    /// The tables that come with the program, each for one country.
    ///
    /// - Throws: ``RateProblem`` if one of them is wrong, which a test excludes.
    public static func builtIn() throws(RateProblem) -> [RateTable] {
        var tables: [RateTable] = []
        for file in EmbeddedFolder.rateTables.files {
            tables.append(try RateTable(file.bytes))
        }
        return tables
    }
}
