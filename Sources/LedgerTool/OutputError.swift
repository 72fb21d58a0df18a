import SystemPackage

/// Results could not be written.
struct OutputError: Error {
    /// What the system said.
    let cause: Errno
}
