import CResources

/// Files that are part of the program and belong together.
package struct EmbeddedFolder: Sendable {
    /// A file, as it was when the program was built.
    package struct File: Hashable, Sendable {
        /// Its name, with the directory of its folder that it is in.
        package let name: String

        /// The content of the file.
        package let bytes: [UInt8]
    }

    /// The files.
    package let files: [File]

    /// The web page.
    package static var page: EmbeddedFolder {
        // Constants of the program.
        unsafe EmbeddedFolder(ledger_page())
    }

    /// The JSON Schemas.
    package static var schemas: EmbeddedFolder {
        // Constants of the program.
        unsafe EmbeddedFolder(ledger_schemas())
    }

    /// The tables of rates per distance, one for each country.
    package static var rateTables: EmbeddedFolder {
        // Constants of the program.
        unsafe EmbeddedFolder(ledger_rate_tables())
    }

    /// What the programs are linked with, and under which licences.
    package static var notices: EmbeddedFolder {
        // Constants of the program.
        unsafe EmbeddedFolder(ledger_notices())
    }

    /// The SQL of the replica.
    package static var replica: EmbeddedFolder {
        // Constants of the program.
        unsafe EmbeddedFolder(ledger_replica())
    }

    /// The background of maps, and the script that moves them.
    package static var maps: EmbeddedFolder {
        // Constants of the program.
        unsafe EmbeddedFolder(ledger_maps())
    }

    private init(_ folder: ledger_folder) {
        // Names and bytes live as long as the program, and the counts are those of the compiler.
        files = unsafe UnsafeBufferPointer(start: folder.files, count: folder.count)
            .map { file in
                // See above.
                unsafe File(
                    name: String(cString: file.name),
                    bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
                )
            }
    }

    /// The bytes of a file, which MUST be one of this folder: tests compare what is embedded with
    /// the directories.
    package subscript(name: String) -> [UInt8] {
        guard let file = files.first(where: { $0.name == name }) else {
            preconditionFailure("\(name) is not part of the program")
        }
        return file.bytes
    }
}
