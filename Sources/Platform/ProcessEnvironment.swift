import Glibc

/// The environment that the process was started with.
package enum ProcessEnvironment {
    /// Returns the value of a variable, or `nil` if it is not set or empty.
    ///
    /// The corresponding C function is `getenv`.
    package static func variable(_ name: String) -> String? {
        // Nothing in this process changes the environment, so the text stays where it is until it
        // has been copied.
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
