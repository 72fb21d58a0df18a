import EmbeddedFiles
import Glibc
import JSONText
import Papers
import Platform
import SystemPackage

/// Reads a picture (`picture.v1.schema.json`) or a document (`document.v1.schema.json`) from
/// standard input and writes it to standard output, as PNG or PDF.
@main
enum PrintProgram {
    private static let usage = """
        Usage: ledger-print png|pdf < picture.json > file
               ledger-print png|pdf < document.json > file
               ledger-print --version|--licences

        Draws a picture (`ledger schema picture`), or prints a document (`ledger schema
        document`): title, tables and pictures on pages of A4 or Letter. PNG is the
        first page, PDF all of them. The same input gives the same file.

        Tables get the widths that their texts need, in letters of 8 points or more. A
        row is cut in two only if it has more than 12 lines; heads are repeated, and
        the foot stands on each page. PDF is meant for archives (PDF/A-2b).
        --licences prints what the programs are linked with.

        Examples:
          ledger map last -o map.json && ledger-print png < map.json > map.png
          ledger-print pdf < document.json > report.pdf

        `ledger` calls it where the name of an output ends in .png or .pdf.

        """

    private static let otherFont =
        "ledger-print: note: \(FontFamilies.first) is not installed (fonts-dejavu-core), so that "
        + "this file has other bytes than the same one made elsewhere.\n"

    /// No picture or document of this program is larger.
    private static let mostBytes = 1 << 28

    static func main() throws {
        try StandardStreams.open()
        FileSizeLimit.failWithError()
        exit(PrintProgram.run(CommandLine.arguments))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        let words = Array(arguments.dropFirst())
        if let answer = ProgramFacts.answer(to: words, version: ProgramVersion.current) {
            return write(answer, to: .standardOutput) ? 0 : 74
        }
        guard arguments.count == 2, let form = PrintForm(rawValue: arguments[1]) else {
            let asksForHelp = arguments.dropFirst() == ["--help"]
            write(Array(usage.utf8), to: asksForHelp ? .standardOutput : .standardError)
            return asksForHelp ? 0 : 64
        }
        do throws(PrintError) {
            return write(try file(form), to: .standardOutput) ? 0 : 74
        } catch {
            write(Array("ledger-print: error: \(error.sentence)\n".utf8), to: .standardError)
            return 65
        }
    }

    private static func file(_ form: PrintForm) throws(PrintError) -> [UInt8] {
        let value = try json(try input())
        let setter = TextSetter(language: "en")
        try setter.checkFonts()
        if !setter.hasFirstFont { write(Array(otherFont.utf8), to: .standardError) }
        return Document.isMeant(by: value)
            ? try form.file(try read(value, Document.init(json:)).printable())
            : try form.file(try read(value, Picture.init(json:)).printable())
    }

    private static func read<Drawing>(
        _ value: JSONValue,
        _ form: (JSONValue) throws(PaperFault) -> Drawing
    ) throws(PrintError) -> Drawing {
        do {
            return try form(value)
        } catch {
            throw PrintError(error.sentence)
        }
    }

    private static func input() throws(PrintError) -> [UInt8] {
        do {
            return try PrivateFile.read(.standardInput, maximumByteCount: mostBytes)
        } catch {
            throw PrintError("the input could not be read, or is too large")
        }
    }

    private static func json(_ bytes: [UInt8]) throws(PrintError) -> JSONValue {
        let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let end = bytes.lastIndex { !spaces.contains($0) } ?? -1
        do {
            return try JSONValue(Array(bytes[...end]).span)
        } catch {
            throw PrintError("the input is no JSON: \(error.sentence) (column \(error.column))")
        }
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: FileDescriptor) -> Bool {
        (try? descriptor.writeAll(bytes)) != nil
    }
}
