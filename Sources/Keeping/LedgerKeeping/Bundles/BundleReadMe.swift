import TripEvents
import TripLedger

/// The page of a bundle that says what it is and how to check it.
struct BundleReadMe {
    /// The page.
    let text: String

    /// Writes the page of a bundle; the stamps over its head are named as they lie in it.
    init(_ manifest: BundleManifest, isSigned: Bool, stamps: [HeadStamps.Statement]) {
        let rates = manifest.table.map { table in
            """
            rates/      The rates that the claim goes by: one row a line. The SHA-256 of the file
                        is the one that the claim names: sha256sum \(BundleFiles.rates(of: table))

            """
        }
        let keys = """
            head.note   The head of the log, signed by the owner of the ledger.
            key.txt     The key of these signatures. It vouches for nothing, for a forger would
                        put another one here: use the key that the owner gave you in another way.
            manifest.note  The owner's signature of manifest.json.
            \(Self.text(about: stamps))
            """
        let orKey = isSigned ? " or the key" : ""
        let byKey =
            isSigned
            ? """

                ledger verify . --key KEY
            In place of KEY stands the key from the owner's paper or letter, typed or pasted from
            there, and never key.txt: if there is a forger, that one is his.
            """ : ""
        text = """
            Mileage of \(manifest.days.lowerBound) to \(manifest.days.upperBound)

            This directory holds reports about trips, and everything that is needed to make them
            again and to compare each figure.

            reports/    The reports: text and HTML to read, CSV for spreadsheets, JSON for programs.
            evidence/   Every entry of the ledger, in the order in which they were stored: what
                        devices recorded and what people decided. Each figure follows from them.
            prints/     Pages to look at: index.html leads to all reports, and PDF lies beside it
                        if they were printed. `ledger verify` cannot make them again:
                        \(isSigned ? "only the owner's key" : "nothing") vouches that they say \
            what reports/ says.
            zones/      What the machine that made this knew of the ledger's time zones, if not UTC.
            \(rates ?? "")\(isSigned ? keys : "")manifest.json  All files with their SHA-256, and \
            what the reports were made for.

            To check that no file was changed since this list was made:
                sha256sum --check \(BundleFiles.hashes)

            To check the reports against the evidence, and the evidence against what the owner gave
            you in another way, such as the head on a sheet of paper\(orKey):
                ledger verify . ENTRIES:ROOT\(byKey)
            ENTRIES and ROOT stand at the foot of every page that the owner printed.

            This needs the program `ledger` (version \(manifest.programVersion) made this), and no
            ledger. It hashes the evidence again up to the root, makes every report again from it,
            and names each file, line and figure that differs.

            Ledger   \(manifest.ledger)
            Entries  \(manifest.head.size)
            Root     \(manifest.head.root)

            """
    }

    /// Says who stamped the head and when; nothing if there are no stamps.
    private static func text(about stamps: [HeadStamps.Statement]) -> String {
        guard !stamps.isEmpty else { return "" }
        let lines = stamps.map { "            \(RFC3339.text($0.time)) by \($0.name)\n" }
        return """
            stamps/     Stamps of authorities for the time over head.note: the entries were there
                        then. They say, and are checked with --stamps and the certificates that
                        you have from the authority itself:

            """ + lines.joined()
    }
}
