import Glibc
package import SystemPackage

/// The descriptors 0, 1 and 2, which a program expects its caller to have opened.
package enum StandardStreams {
    /// Opens those that the caller has closed; every program MUST call it before anything else.
    ///
    /// So no file that is opened later gets their numbers, and with them what is printed. Standard
    /// input has nothing to read, and messages are dropped. Standard output is open for reading
    /// only: results that no process gets fail to be written, as they do when it is closed.
    ///
    /// - Throws: `Errno` if nothing can be opened.
    package static func open() throws(Errno) {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            let mode = number == STDERR_FILENO ? O_WRONLY : O_RDONLY
            // The paths live as long as the calls. A directory can be neither read nor written.
            var opened = unsafe Glibc.open("/dev/null", mode)
            if opened < 0 { opened = unsafe Glibc.open("/", O_RDONLY | O_DIRECTORY) }
            guard opened >= 0 else { throw Errno(rawValue: errno) }
            // Another thread may have been given the number meanwhile.
            if opened != number { Glibc.close(opened) }
        }
    }
}
