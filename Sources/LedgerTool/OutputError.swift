import SystemPackage

/// Results could not be written.
struct OutputError: Error {
    /// What the system said.
    let cause: Errno

    /// What was done before output failed, as whole lines; empty if nothing was.
    var afterword = ""
}
