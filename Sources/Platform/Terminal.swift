import Glibc

/// Whether output goes to a terminal.
package enum Terminal {
    /// Whether standard input is a person's keyboard.
    ///
    /// The corresponding C function is `isatty`.
    package static var isStandardInput: Bool { isatty(STDIN_FILENO) == 1 }

    /// Whether standard error is a person's screen.
    ///
    /// The corresponding C function is `isatty`.
    package static var isStandardError: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard output is a person's screen.
    ///
    /// The corresponding C function is `isatty`.
    package static var isStandardOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How many lines the screen of standard output has; `nil` if it does not say.
    ///
    /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
    package static var lineCount: Int? {
        var size = winsize()
        // The structure lives as long as the call.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
            return nil
        }
        return Int(size.ws_row)
    }
}
