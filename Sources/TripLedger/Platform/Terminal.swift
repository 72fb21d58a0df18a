import Glibc

/// Whether somebody is watching.
public enum Terminal {
    /// Whether standard input is a person's keyboard.
    ///
    /// The corresponding C function is `isatty`.
    public static var isStandardInput: Bool { isatty(STDIN_FILENO) == 1 }

    /// Whether standard error is a person's screen.
    ///
    /// The corresponding C function is `isatty`.
    public static var isStandardError: Bool { isatty(STDERR_FILENO) == 1 }
}
