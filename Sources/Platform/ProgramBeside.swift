package import SystemPackage

/// Programs that stand beside this one in its directory.
package enum ProgramBeside {
    /// Returns the file of a program; `nil` if it is not there.
    ///
    /// - Throws: `Errno`.
    package static func path(of name: String) throws -> FilePath? {
        let path = place(of: name)
        return try Directory.holds(path) ? path : nil
    }

    /// Returns where a program would be.
    package static func place(of name: String) -> FilePath {
        let own = SymbolicLink.destination(of: "/proc/self/exe") ?? FilePath(name)
        return own.removingLastComponent().appending(name)
    }
}
