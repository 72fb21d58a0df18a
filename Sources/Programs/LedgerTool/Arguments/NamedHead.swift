import ArgumentParser
import LedgerKeeping
import Proofs
import TripLedger

/// A head that a person kept, as an argument: the file of a signed one, or size and root as a
/// report prints them.
enum NamedHead: ExpressibleByArgument {
    /// Size and root, without a signature.
    case written(LedgerHead)

    /// The name of a file with a head, signed or as the QR codes of reports have it; `-` is
    /// standard input.
    case file(String)

    /// Reads `SIZE:ROOT`, and everything else as the name of a file.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        if let known = KnownHead(argument: argument) {
            self = .written(known.head)
        } else {
            self = .file(argument)
        }
    }

    /// Returns the head, with its signatures if it has any.
    ///
    /// - Throws: `LedgerError.unreadableInput`.
    func read() throws(LedgerError) -> (head: LedgerHead, signed: SignedHead?) {
        switch self {
        case .written(let head): return (head, nil)
        case .file(let name):
            let bytes = try InputFile.bytes(of: name)
            if let written = Self.written(in: bytes) { return (written, nil) }
            let signed = try HandedOverFile.head(bytes, from: name)
            let root = signed.head.root.description
            return (LedgerHead(size: signed.head.size, root: root), signed)
        }
    }

    /// Returns the head in a file that has no signatures: the text that signing it would sign, or
    /// `SIZE:ROOT`.
    private static func written(in bytes: [UInt8]) -> LedgerHead? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let line = text.last?.isNewline == true ? text.dropLast() : text[...]
        if let known = KnownHead(argument: String(line)) { return known.head }
        guard let head = try? HeadNote(line + "\n").head else { return nil }
        return LedgerHead(size: head.size, root: head.root.description)
    }
}

/// A head as an argument: its size, a colon and its root, as 64 hexadecimal digits or, as signed
/// notes have it, in base 64.
///
/// The digits may be in upper case, and blanks among them mean nothing.
struct KnownHead: ExpressibleByArgument {
    /// The head.
    let head: LedgerHead

    init(_ head: LedgerHead) {
        self.head = head
    }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = UInt64(parts[0]) else { return nil }
        let text = Self.digits(parts[1])
        guard
            let root = Digest(hexadecimal: text.lowercased())
                ?? Base64.bytes(text).flatMap({ Digest($0) })
        else { return nil }
        head = LedgerHead(size: size, root: root.description)
    }

    /// Returns what is wrong with a text that begins as a head does, as a sentence; `nil` if it is
    /// a head or something else.
    static func mistake(in argument: String) -> String? {
        guard KnownHead(argument: argument) == nil,
            let colon = argument.firstIndex(of: ":"), UInt64(argument[..<colon]) != nil
        else { return nil }
        let root = Self.digits(argument[colon...].dropFirst())
        let count = root.count
        guard count >= Self.fewestCharacters else {
            let digits = Count.text(count, "character", "characters")
            return
                "The root after \(argument[...colon]) is too short: it has \(digits), and a root "
                + "has 64 hexadecimal digits, or 44 letters in base 64. Type all of it."
        }
        let odd = root.first { !($0.isASCII && $0.isHexDigit) }
        let reason =
            if count <= Self.mostLetters {
                "has \(count) letters that are no root in base 64"
            } else if let odd {
                "has a character that is no hexadecimal digit: \(Excerpt.of(String(odd)))"
            } else {
                "has \(count) hexadecimal digits, and not 64"
            }
        return "The root after \(argument[...colon]) \(reason). Compare it with the paper."
    }

    /// Returns the typed characters of a root, without blanks.
    private static func digits(_ typed: Substring) -> String {
        String(typed).filter { !$0.isWhitespace }
    }

    /// The fewest characters of a root, in base 64.
    private static let fewestCharacters = 43

    /// The most characters of a root in base 64.
    private static let mostLetters = 44

    /// The head as an argument.
    var argument: String { "\(head.size):\(head.root)" }
}

/// Heads and proofs in files that other people handed over.
enum HandedOverFile {
    /// Reads a signed head, alone or at the end of a proof; `-` is standard input.
    ///
    /// - Throws: `LedgerError.unreadableInput`.
    static func head(_ name: String) throws(LedgerError) -> SignedHead {
        try head(InputFile.bytes(of: name), from: name)
    }

    /// Reads a signed head, alone or at the end of a proof, that a file holds.
    ///
    /// - Throws: `LedgerError.unreadableInput`.
    static func head(_ bytes: [UInt8], from name: String) throws(LedgerError) -> SignedHead {
        do {
            return try ProofVerification.head(bytes)
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: "this is no signed head: \(error)",
                hint: "`ledger head --sign` prints one"
            )
        }
    }
}
