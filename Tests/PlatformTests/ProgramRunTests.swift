import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct ProgramRunTests {
    private static func run(
        _ command: String,
        mostBytes: Int = 1 << 20,
        within limit: Duration = .seconds(600),
        while isWanted: () -> Bool = { true }
    ) throws -> (outcome: ProgramRun.Outcome, output: String, errors: String) {
        let (output, errors) = (try NamelessFile(), try NamelessFile())
        let outcome = try ProgramRun.run(
            "/bin/sh",
            ["-c", command],
            output: output,
            errors: errors,
            mostBytes: mostBytes,
            until: .now + limit,
            while: isWanted
        )
        func text(_ file: NamelessFile) throws -> String {
            String(decoding: try file.bytes(from: 0, atMost: 1 << 20), as: UTF8.self)
        }
        return (outcome, try text(output), try text(errors))
    }

    @Test func `what a program writes and how it ends is known`() throws {
        let run = try Self.run("cat; echo out; echo err >&2; exit 3")
        #expect(run.outcome == .ended(.exit(3)))
        #expect(run.output == "out\n" && run.errors == "err\n")
        #expect(try Self.run("kill -TERM $$").outcome == .ended(.signal(15)))
    }

    @Test func `a program that takes too long is ended with all that it has started`() throws {
        let directory = try TemporaryDirectory()
        let (lock, mark) = (directory.path("lock"), directory.path("mark"))
        // It has so long that what it starts has begun, which may last on a machine that is busy.
        var limit = Duration.milliseconds(100)
        repeat {
            limit *= 2
            let start = ContinuousClock.now
            let command = "flock '\(lock)' sh -c \"echo > '\(mark)'; exec sleep 9999\" & wait"
            #expect(try Self.run(command, within: limit).outcome == .tooLong)
            #expect(ContinuousClock.now - start < limit + .seconds(600))
            // Who has it is over.
            #expect(try Self.run("flock -w 300 '\(lock)' true").outcome == .ended(.exit(0)))
        } while try !Directory.holds(FilePath(mark)) && limit < .seconds(300)
        #expect(try Directory.holds(FilePath(mark)))
    }

    @Test func `a program that writes too much is ended`() throws {
        let run = try Self.run("yes", mostBytes: 100_000)
        #expect(run.outcome == .tooMuch)
        let errors = try Self.run("yes >&2", mostBytes: 100_000)
        #expect(errors.outcome == .tooMuch)
    }

    @Test func `a program that is not wanted any more is ended`() throws {
        var looks = 0
        let run = try Self.run("sleep 9999") {
            looks += 1
            return looks < 5
        }
        #expect(run.outcome == .unwanted && looks == 5)
    }

    @Test func `a program that is not there cannot be run`() throws {
        let file = try NamelessFile()
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try ProgramRun.run(
                "/nowhere/at/all",
                [],
                output: file,
                errors: file,
                mostBytes: 1,
                until: .now + .seconds(1),
                while: { true }
            )
        }
    }

    @Test func `a file without a name is read from anywhere`() throws {
        let file = try NamelessFile(holding: Array(0..<200))
        #expect(try file.byteCount == 200)
        #expect(try file.bytes(from: 190, atMost: 100) == Array(190..<200))
        #expect(try file.bytes(from: 200, atMost: 100) == [])
        #expect(try file.bytes(from: 0, atMost: 3) == [0, 1, 2])
    }
}
