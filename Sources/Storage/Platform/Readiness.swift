import Glibc
package import SystemPackage

/// Waiting until something can be read.
package enum Readiness {
    /// Waits until one of some descriptors can be read, or its other side is gone.
    ///
    /// The corresponding C function is `poll`.
    ///
    /// - Parameters:
    ///   - descriptors: Open descriptors.
    ///   - milliseconds: The longest wait.
    /// - Returns: Which of them can be read; all `false` after the time, or a signal.
    package static func wait(for descriptors: [FileDescriptor], milliseconds: Int) -> [Bool] {
        var requests = descriptors.map { descriptor in
            pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        }
        // The requests live as long as the call, which is told how many they are.
        _ = unsafe requests.withUnsafeMutableBufferPointer { buffer in
            unsafe poll(buffer.baseAddress, nfds_t(buffer.count), Int32(clamping: milliseconds))
        }
        return requests.map { $0.revents != 0 }
    }
}
