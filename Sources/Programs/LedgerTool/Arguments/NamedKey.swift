import ArgumentParser
import LedgerKeeping
import Proofs
import SystemPackage

/// A verifier key from another person, as an argument: typed, or the first one in a file.
struct NamedKey {
    /// The key.
    let key: VerifierKey

    /// The name of the file in which it stands; `nil` if it was typed.
    let file: String?

    /// Reads a verifier key that may have been typed from paper, or the first one in a file, such
    /// as one that keeps what `ledger key new` printed.
    ///
    /// - Throws: `ValidationError` that says whether it is not a key or was mistyped.
    init(_ argument: String) throws {
        let typed = try Self.read(argument)
        guard let key = try typed ?? Self.firstKey(inFile: argument) else {
            throw ValidationError(
                "a verifier key is NAME+ID+KEY, as `ledger key show` prints it, or the name of a "
                    + "file in which one stands."
            )
        }
        self.key = key
        file = typed == nil ? argument : nil
    }

    /// Reads a verifier key, regardless of whether it was typed or is in a file.
    ///
    /// - Throws: What ``init(_:)`` throws.
    static func verifierKey(_ argument: String) throws -> VerifierKey {
        try NamedKey(argument).key
    }

    /// Returns the key that a text is; `nil` if it has another form.
    private static func read(_ text: String) throws -> VerifierKey? {
        do throws(VerifierKey.Problem) {
            return try VerifierKey(checking: text)
        } catch {
            switch error {
            case .form: return nil
            case .checkDigits:
                throw ValidationError(
                    "its check digits do not fit, so that it was mistyped. Compare it with the "
                        + "paper, letter by letter."
                )
            }
        }
    }

    /// Returns the first key among the words of a text file; `nil` if there is none, or no file of
    /// the name.
    private static func firstKey(inFile name: String) throws -> VerifierKey? {
        guard (try? Stat(FilePath(name)))?.type == .regular,
            let bytes = try? InputFile.bytes(of: name)
        else { return nil }
        for word in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace) {
            if let key = try read(String(word)) { return key }
        }
        return nil
    }
}
