import Glibc
package import SystemPackage

/// Sockets with a path in the file system, which the rights of files protect.
package enum UnixSocket {
    /// The most bytes of a path.
    package static let mostBytesOfPath = MemoryLayout<sockaddr_un>.size - 3

    /// Returns whether a program listens on the socket at a path.
    ///
    /// The corresponding C function is `connect`.
    package static func isAnswered(at path: FilePath) -> Bool {
        let bytes = Array(path.string.utf8)
        guard bytes.count <= mostBytesOfPath else { return false }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { _ = Glibc.close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The address lives as long as the calls, and the path fits into it with its zero.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return status == 0
    }

    /// Removes the socket at a path, if there is one.
    ///
    /// The corresponding C function is `unlink`.
    package static func remove(at path: FilePath) {
        // The text lives as long as the call.
        _ = unsafe unlink(path.string)
    }
}
