import SystemPackage

/// Small files that somebody hands over: heads, proofs, entries.
package enum InputFile {
    /// The most bytes that are read: more than any head, proof or entry has.
    private static let maximumByteCount = 1 << 20

    /// Reads the file of that name, or standard input if the name is `-`.
    ///
    /// - Throws: `.unreadableInput`.
    package static func bytes(of name: String) throws(LedgerError) -> [UInt8] {
        do {
            guard name != "-" else {
                return try PrivateFile.read(.standardInput, maximumByteCount: maximumByteCount)
            }
            let descriptor = try FileDescriptor.open(
                FilePath(name),
                .readOnly,
                options: .closeOnExec
            )
            return try descriptor.closeAfter {
                try PrivateFile.read(descriptor, maximumByteCount: maximumByteCount)
            }
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: (error as? Errno ?? .ioError).description
            )
        }
    }
}
