import CPage

/// A file of the web page, as it is in the program.
package struct PageFile: Hashable, Sendable {
    /// Its name, with the directory that it is in.
    package let name: String

    /// What is in it.
    package let bytes: [UInt8]

    /// The same as gzip compresses it; `nil` if that is no smaller.
    package let compressed: [UInt8]?

    /// All files.
    package static let all = (0..<ledger_page_file_count).map(PageFile.init(number:))

    private init(number: Int) {
        // Names and bytes are constants of the program, and the count is that of these bytes.
        name = unsafe String(cString: ledger_page_name(number))
        bytes = unsafe Array(
            UnsafeBufferPointer(start: ledger_page_bytes(number), count: ledger_page_size(number))
        )
        let gzipped = bytes.gzipped
        compressed = gzipped.count < bytes.count ? gzipped : nil
    }
}
