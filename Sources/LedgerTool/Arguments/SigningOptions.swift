import ArgumentParser
import SystemPackage
import TripLedger

/// Which key signs.
struct SigningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key's file (default: ~/.config/ledger/keys/ and the ledger's id).",
            valueName: "file"
        )
    )
    var key: String?

    /// Returns the file that was named, or that of the ledger.
    func file(_ options: GlobalOptions) throws -> SigningKeyFile {
        if let key { return SigningKeyFile(at: FilePath(key)) }
        let ledger = try options.open()
        defer { ledger.close() }
        return try SigningKeyFile(of: ledger)
    }

    /// Returns the file that was named, or that of an open ledger.
    func file(of ledger: Ledger) throws -> SigningKeyFile {
        try key.map { SigningKeyFile(at: FilePath($0)) } ?? SigningKeyFile(of: ledger)
    }
}
