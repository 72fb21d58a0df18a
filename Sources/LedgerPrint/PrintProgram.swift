import Glibc
import Platform
import SystemPackage

/// Reads a picture (`picture.v1.schema.json`) from standard input and writes it to standard output,
/// as PNG or PDF.
@main
enum PrintProgram {
    private static let usage = """
        Usage: ledger-print png|pdf < picture.json > file

        Draws a picture as `ledger schema picture` describes it: its first page as PNG, or all of
        them as PDF. `ledger map -o map.png` calls it.

        """

    /// More is no picture of ours.
    private static let mostBytes = 1 << 28

    static func main() throws {
        try StandardStreams.open()
        exit(PrintProgram.run(CommandLine.arguments))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 2, ["png", "pdf"].contains(arguments[1]) else {
            let asksForHelp = arguments.dropFirst() == ["--help"]
            write(Array(usage.utf8), to: asksForHelp ? .standardOutput : .standardError)
            return asksForHelp ? 0 : 64
        }
        do throws(PrintError) {
            let picture = try PrintedPicture(try input())
            let isPDF = arguments[1] == "pdf"
            let bytes = try isPDF ? PictureFile.pdf(picture) : PictureFile.png(picture)
            return write(bytes, to: .standardOutput) ? 0 : 74
        } catch {
            write(Array("ledger-print: error: \(error.sentence)\n".utf8), to: .standardError)
            return 65
        }
    }

    private static func input() throws(PrintError) -> [UInt8] {
        do {
            return try PrivateFile.read(.standardInput, maximumByteCount: mostBytes)
        } catch {
            throw PrintError("the input could not be read, or is too large")
        }
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: FileDescriptor) -> Bool {
        (try? descriptor.writeAll(bytes)) != nil
    }
}
