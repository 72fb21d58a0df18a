import Glibc
package import SystemPackage

/// Sockets with a path in the file system, which the rights of files protect.
package enum UnixSocket {
    /// The most bytes of a path.
    package static let mostBytesOfPath = MemoryLayout<sockaddr_un>.size - 3

    /// How many callers may wait until they are accepted.
    private static let backlog: Int32 = 512

    /// Returns whether a program listens on the socket at a path.
    package static func isAnswered(at path: FilePath) -> Bool {
        guard let socket = try? connect(to: path) else { return false }
        // Nothing was said over it.
        try? socket.close()
        return true
    }

    /// Connects to the program that listens on the socket at a path, however long the path is.
    ///
    /// The corresponding C function is `connect`.
    ///
    /// - Throws: `Errno`.
    package static func connect(to path: FilePath) throws -> FileDescriptor {
        try opened(path, isListener: false)
    }

    /// Listens at a path, in the place of a socket that another process left there; only this user
    /// can connect.
    ///
    /// The corresponding C functions are `bind` and `listen`.
    ///
    /// - Throws: `Errno`.
    package static func listen(at path: FilePath) throws -> FileDescriptor {
        remove(at: path)
        let socket = try opened(path, isListener: true)
        // Before it listens no caller can connect. The mask of rights is that of all threads.
        let status = unsafe path.withPlatformString { unsafe chmod($0, 0o600) }
        guard status == 0, Glibc.listen(socket.rawValue, backlog) == 0 else {
            let error = Errno(rawValue: errno)
            try? socket.close()
            throw error
        }
        return socket
    }

    /// Returns the next caller, or `nil` if none waits now.
    ///
    /// The corresponding C functions are `poll` and `accept`.
    package static func accept(from listener: FileDescriptor) -> FileDescriptor? {
        guard Readiness.wait(for: [listener], milliseconds: 0) == [true] else { return nil }
        // It is not asked who calls.
        let caller = Glibc.accept(listener.rawValue, nil, nil)
        guard caller >= 0 else { return nil }
        _ = fcntl(caller, F_SETFD, FD_CLOEXEC)
        return FileDescriptor(rawValue: caller)
    }

    /// Sends bytes, or returns `false` if the other side is gone or does not take them at once.
    ///
    /// The corresponding C function is `send`.
    package static func send(_ text: String, on socket: FileDescriptor) -> Bool {
        let bytes = Array(text.utf8)
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        // The bytes live as long as the call, which reads as many as there are.
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(socket.rawValue, buffer.baseAddress, buffer.count, flags)
        }
        return count == bytes.count
    }

    /// Returns some bytes that the other side has sent: none at the end, `nil` if none are there
    /// now.
    ///
    /// The corresponding C function is `recv`.
    package static func receive(from socket: FileDescriptor) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        // The system writes at most as many bytes as the buffer has.
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe recv(
                socket.rawValue,
                buffer.baseAddress,
                buffer.count,
                Int32(MSG_DONTWAIT)
            )
        }
        guard count >= 0 else { return errno == EAGAIN || errno == EINTR ? nil : [] }
        return Array(bytes[..<count])
    }

    /// Removes the socket at a path, if there is one.
    ///
    /// The corresponding C function is `unlink`.
    package static func remove(at path: FilePath) {
        // The text lives as long as the call.
        _ = unsafe unlink(path.string)
    }

    /// Makes a socket with a path, as its listener or as a caller.
    private static func opened(_ path: FilePath, isListener: Bool) throws -> FileDescriptor {
        guard path.string.utf8.count > mostBytesOfPath else {
            return try opened(Array(path.string.utf8), isListener: isListener)
        }
        // A longer path is reached by way of its open directory.
        let directory = try FileDescriptor.open(
            path.removingLastComponent(),
            .readOnly,
            options: [.directory, .closeOnExec]
        )
        defer { try? directory.close() }
        let name = path.lastComponent?.string ?? ""
        return try opened(
            Array("/proc/self/fd/\(directory.rawValue)/\(name)".utf8),
            isListener: isListener
        )
    }

    private static func opened(_ path: [UInt8], isListener: Bool) throws -> FileDescriptor {
        guard path.count <= mostBytesOfPath else { throw Errno.fileNameTooLong }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(AF_UNIX, type, 0)
        guard socket >= 0 else { throw Errno(rawValue: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path fits into the address with its zero, and the address lives as long as the calls.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let byteCount = socklen_t(MemoryLayout<sockaddr_un>.size)
                return isListener
                    ? unsafe bind(socket, pointer, byteCount)
                    : unsafe Glibc.connect(socket, pointer, byteCount)
            }
        }
        guard status == 0 else {
            let error = Errno(rawValue: errno)
            _ = Glibc.close(socket)
            throw error
        }
        return FileDescriptor(rawValue: socket)
    }
}
