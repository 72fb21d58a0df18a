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
    package static var lineCount: Int? {
        size(of: STDOUT_FILENO).map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// How many characters its lines have; `nil` if it does not say.
    package static var columnCount: Int? { columnCount(of: STDOUT_FILENO) }

    /// The width of standard error in characters; `nil` if it is not a terminal.
    package static var errorColumnCount: Int? { columnCount(of: STDERR_FILENO) }

    private static func columnCount(of descriptor: CInt) -> Int? {
        size(of: descriptor).map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
    private static func size(of descriptor: CInt) -> winsize? {
        var size = winsize()
        // The structure lives as long as the call.
        return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }
}
