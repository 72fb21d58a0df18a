import ArgumentParser
import RowFormats
import SystemPackage
import TripLedger

/// Where a witness keeps its book.
struct WitnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The witness's directory (default: ~/.local/state/ledger/witness).",
            valueName: "dir"
        )
    )
    var directory: String?

    @Option(help: "How results are written: text or json.")
    var format: RowFormat = .text

    func validate() throws {
        guard format != .csv else {
            throw ValidationError(
                "--format csv works where the result is a table; use text or json here."
            )
        }
    }

    /// The witness's directory.
    var path: FilePath {
        get throws { try directory.map { FilePath($0) } ?? WitnessBook.defaultPath() }
    }
}
