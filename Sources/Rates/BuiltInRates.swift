extension RateTable {
    /// The tables that come with the program, each for one country.
    ///
    /// - Throws: ``RateProblem`` if one of them is wrong, which a test excludes.
    public static func builtIn() throws(RateProblem) -> [RateTable] {
        var tables: [RateTable] = []
        for file in builtInFiles() { tables.append(try RateTable(file)) }
        return tables
    }

    private static func builtInFiles() -> [[UInt8]] {
        [
            PackageResources.au_json, PackageResources.ca_json, PackageResources.de_json,
            PackageResources.fr_json, PackageResources.gb_json, PackageResources.nl_json,
            PackageResources.us_json,
        ]
    }
}
