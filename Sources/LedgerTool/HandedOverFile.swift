import Proofs
import TripLedger

/// Heads and proofs in files that other people handed over.
enum HandedOverFile {
    /// Reads a signed head, alone or at the end of a proof; `-` is standard input.
    ///
    /// - Throws: `LedgerError.unreadableInput`.
    static func head(_ name: String) throws(LedgerError) -> SignedHead {
        let bytes = try InputFile.bytes(of: name)
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
