import ArgumentParser

/// How many rows a list has at most.
enum RowLimit {
    /// Reads the number of rows: at least one.
    ///
    /// - Throws: `ValidationError` that says what a limit is.
    static func read(_ argument: String) throws -> Int {
        guard let limit = Int(argument), limit > 0 else {
            throw ValidationError("a limit is a whole number, at least 1.")
        }
        return limit
    }
}
