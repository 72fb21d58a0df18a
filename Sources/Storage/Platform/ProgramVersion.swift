/// A version of the programs.
package struct ProgramVersion: Hashable, Sendable {
    /// The version of these programs, as in the changelog.
    package static let current = ProgramVersion(0, 1, 0)

    /// The number that counts most.
    package let major: UInt8

    /// The number that counts after it.
    package let minor: UInt8

    /// The last number.
    package let patch: UInt8

    /// Creates a version.
    package init(_ major: UInt8, _ minor: UInt8, _ patch: UInt8) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }
}

extension ProgramVersion: Comparable {
    /// Whether the first one is older.
    package static func < (left: ProgramVersion, right: ProgramVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}

extension ProgramVersion: CustomStringConvertible {
    /// The numbers with points between them, such as `0.1.0`.
    package var description: String { "\(major).\(minor).\(patch)" }
}
