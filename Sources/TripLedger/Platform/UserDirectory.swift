import SystemPackage

/// Where a person's own files are kept, as the XDG Base Directory Specification says.
enum UserDirectory {
    /// Settings and keys: `XDG_CONFIG_HOME`, else `~/.config`.
    ///
    /// - Throws: `.notFound` if there is no home directory either.
    static func configuration() throws(LedgerError) -> FilePath {
        try directory("XDG_CONFIG_HOME", fallback: ".config")
    }

    /// What a program remembers between runs: `XDG_STATE_HOME`, else `~/.local/state`.
    ///
    /// - Throws: `.notFound` if there is no home directory either.
    static func state() throws(LedgerError) -> FilePath {
        try directory("XDG_STATE_HOME", fallback: ".local/state")
    }

    private static func directory(
        _ variable: String,
        fallback: String
    ) throws(LedgerError) -> FilePath {
        // The specification has relative paths ignored.
        if let path = ProcessEnvironment.variable(variable).map({ FilePath($0) }), path.isAbsolute {
            return path
        }
        guard let home = ProcessEnvironment.variable("HOME") else {
            throw LedgerError(
                .notFound,
                at: variable,
                cause: "there is no home directory",
                hint: "Set HOME or \(variable)"
            )
        }
        return FilePath(home).appending(fallback)
    }
}
