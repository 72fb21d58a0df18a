package import SystemPackage

/// Programs that stand beside this one in its directory.
///
/// Packages install this program as `trip-ledger` where another one is called `ledger`; those
/// beside it may then have the same prefix, and are found by either name.
package enum ProgramBeside {
    private static let prefix = "trip-"

    /// Returns the file of a program; `nil` if it is not there.
    ///
    /// - Parameter name: Its name without the prefix of packages.
    /// - Returns: Its file.
    /// - Throws: `Errno`.
    package static func path(of name: String) throws -> FilePath? {
        for place in places(of: name) where try Directory.holds(place) { return place }
        return nil
    }

    /// Returns where a program is, or would be if it were there.
    package static func place(of name: String) -> FilePath {
        let places = places(of: name)
        return places.first { (try? Directory.holds($0)) == true } ?? places[0]
    }

    /// Returns where a program may be, first with the prefix that this one has.
    private static func places(of name: String) -> [FilePath] {
        let own = SymbolicLink.destination(of: "/proc/self/exe") ?? FilePath(name)
        let names = [name, prefix + name]
        let isPrefixed = own.lastComponent?.string.hasPrefix(prefix) ?? false
        let folder = own.removingLastComponent()
        return (isPrefixed ? names.reversed() : names).map { folder.appending($0) }
    }
}
