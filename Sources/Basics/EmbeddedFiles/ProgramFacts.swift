/// What every program says of itself.
package enum ProgramFacts {
    /// Returns the answer to `--version` and `--licences`: the version, or what the programs are
    /// linked with.
    ///
    /// - Parameters:
    ///   - words: The arguments of a program.
    ///   - version: Its version.
    /// - Returns: What it writes to standard output; `nil` if something else is asked.
    package static func answer(
        to words: [String],
        version: some CustomStringConvertible
    ) -> [UInt8]? {
        switch words {
        case ["--version"]: Array("\(version)\n".utf8)
        case ["--licences"]: EmbeddedFolder.notices["NOTICE"]
        default: nil
        }
    }
}
