import EmbeddedFiles
import Importers

/// A file of the web page, as it is in the program.
package struct PageFile: Hashable, Sendable {
    /// Its name, with the directory that it is in.
    package let name: String

    /// The content of the file.
    package let bytes: [UInt8]

    /// The same as gzip compresses it; `nil` if that is no smaller.
    package let compressed: [UInt8]?

    /// All files.
    package static let all = EmbeddedFolder.page.files.map(PageFile.init)

    private init(_ file: EmbeddedFolder.File) {
        name = file.name
        bytes = file.bytes
        let gzipped = bytes.gzipped
        compressed = gzipped.count < bytes.count ? gzipped : nil
    }
}
