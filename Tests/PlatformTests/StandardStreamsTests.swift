import Foundation
import Glibc
import Platform
import Testing

@Suite struct StandardStreamsTests {
    @Test func `streams that the caller has closed are opened, and no file gets their numbers`()
        async
    {
        await #expect(processExitsWith: .exitCode(0)) {
            for number in CInt(0)...2 { close(number) }
            try StandardStreams.open()
            var byte: UInt8 = 0
            let file = open("/dev/null", O_RDONLY)
            let isRight =
                read(0, &byte, 1) == 0
                && write(1, &byte, 1) == -1 && errno == EBADF
                && write(2, &byte, 1) == 1
                && file > 2
            exit(isRight ? 0 : 1)
        }
    }

    @Test func `a stream that is open stays what it is`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            var ends: [CInt] = [0, 0]
            guard pipe(&ends) == 0, dup2(ends[1], 1) == 1 else { exit(2) }
            close(0)
            try StandardStreams.open()
            var byte: UInt8 = 7
            guard write(1, &byte, 1) == 1 else { exit(3) }
            byte = 0
            exit(read(ends[0], &byte, 1) == 1 && byte == 7 ? 0 : 1)
        }
    }
}
