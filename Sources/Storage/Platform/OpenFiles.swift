import Glibc

/// How many files a process may have open.
package enum OpenFiles {
    /// Asks the system to allow this many open files, and returns how many it then allows.
    ///
    /// Systems begin with 1,024, and let a process have more of them if it asks.
    package static func allow(_ count: Int) -> Int {
        var limit = rlimit()
        // Safe: it writes the structure that it is given.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return count
        }
        if limit.rlim_cur < rlim_t(count) {
            var wanted = limit
            wanted.rlim_cur = min(rlim_t(count), limit.rlim_max)
            // Safe: it reads the structure.
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) == 0 {
                limit = wanted
            }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
