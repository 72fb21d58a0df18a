import Glibc
package import SystemPackage

/// A program in which a person pages through what this process writes.
package final class Pager {
    /// The command that takes the text: the program that PAGER names, else `less`, else `more`.
    ///
    /// `less` gets the options that git gives it, unless LESS says others: it ends by itself if the
    /// text fits the screen (F), shows control sequences (R), and leaves the text there (X). If
    /// there is no such program as PAGER names, the text is written as it is. The shell waits for
    /// that program through a Ctrl-C, which is for the program alone.
    private static let command = """
        LESS="${LESS-FRX}"; export LESS
        if [ -n "$PAGER" ]; then
            trap : INT
            eval "$PAGER"
            case $? in 126|127) exec cat ;; esac
        elif command -v less > /dev/null; then exec less
        elif command -v more > /dev/null; then exec more
        else exec cat
        fi
        """

    /// Where to write.
    package let input: FileDescriptor

    private let process: ShellProcess

    /// Starts the program, which has the keyboard and the screen for itself until it has ended:
    /// this process ignores Ctrl-C.
    ///
    /// - Throws: `Errno`.
    package init() throws {
        let ends = try FileDescriptor.pipe()
        // The program has its own descriptor by then.
        defer { try? ends.readEnd.close() }
        do {
            for end in [ends.readEnd, ends.writeEnd] {
                guard fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) == 0 else {
                    throw Errno(rawValue: errno)
                }
            }
            process = try ShellProcess(Self.command, standardInput: ends.readEnd, isApart: false)
        } catch {
            try? ends.writeEnd.close()
            throw error
        }
        input = ends.writeEnd
        // Nothing is called when the signal comes.
        _ = signal(SIGINT, SIG_IGN)
    }

    /// Says that nothing follows, and waits until the person has left the program.
    package func finish() {
        try? input.close()
        process.waitForEnd()
    }
}
