import Glibc

/// The limits of a process that reads a file of unknown origin.
package enum ReaderLimits {
    /// Limits the memory and the processor time that this process may use from now on.
    ///
    /// Memory that files are mapped into for reading does not count. A process that asks for more
    /// memory ends by a signal, and so does one that takes more time. The corresponding C function
    /// is `setrlimit`, with `RLIMIT_DATA` and `RLIMIT_CPU`.
    ///
    /// - Parameters:
    ///   - memoryBytes: The most bytes of memory.
    ///   - processorSeconds: The longest processor time, in seconds.
    package static func hold(memoryBytes: UInt64, processorSeconds: UInt64) {
        limit(__rlimit_resource_t(RLIMIT_DATA.rawValue), to: memoryBytes)
        limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), to: processorSeconds)
    }

    /// Lowers a limit; one that is lower already stays.
    private static func limit(_ resource: __rlimit_resource_t, to most: UInt64) {
        var limits = rlimit()
        // Safe: it writes the structure that it is given.
        guard unsafe getrlimit(resource, &limits) == 0 else { return }
        limits.rlim_cur = min(limits.rlim_cur, rlim_t(most))
        // Safe: it reads the structure. A system without this limit reads the file without it.
        _ = unsafe setrlimit(resource, &limits)
    }
}
