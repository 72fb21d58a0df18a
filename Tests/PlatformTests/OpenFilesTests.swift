import Glibc
import Platform
import Testing

/// How many files a process may have open.
@Suite struct OpenFilesTests {
    private static var limit: rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }

    @Test func `as many are allowed as are asked for, if the system lets it, and never fewer`() {
        let before = Self.limit
        #expect(OpenFiles.allow(1) == Int(clamping: before.rlim_cur))
        #expect(Self.limit.rlim_cur == before.rlim_cur)
        let wanted = min(before.rlim_cur + 1, before.rlim_max)
        #expect(OpenFiles.allow(Int(clamping: wanted)) == Int(clamping: wanted))
        #expect(Self.limit.rlim_cur == wanted)
        #expect(Self.limit.rlim_max == before.rlim_max)
    }
}
