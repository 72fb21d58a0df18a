import CArchive
import Glibc

/// Reads the files in a zip or tar archive in their order, however large they are, from bytes that
/// come one after the other.
///
/// A class, because libarchive calls it back.
// @safe because the archive and the memory are its own, and are freed with it.
@safe package final class ArchiveReader {
    /// A file in an archive.
    package struct File: Hashable, Sendable {
        /// Its path within the archive, for people: it is never opened.
        package let name: String

        /// Whether it holds bytes, and is not a directory or a link.
        package let isRegular: Bool

        /// Whether a password is needed for what it holds.
        fileprivate let isEncrypted: Bool

        /// How large it is, if the archive says so beforehand: then it is passed over unread.
        fileprivate let byteCount: Int?
    }

    private let archive: OpaquePointer

    /// The locale in which names are UTF-8, as archives write them; libarchive knows no other way.
    private let locale: locale_t?

    private let form: ArchiveForm
    private let input: SteadyBuffer
    private let limit: ExpansionLimit

    /// The error that the source threw while libarchive asked it.
    private var failure: (any Error)?

    /// Whether the source has ended.
    private var isAtEnd = false

    private var isOpen = false
    private var file: File?
    private var fileCount = 0

    /// The bytes in the files so far; `nil` if one could not be looked into.
    private var byteCount: Int? = 0

    private var ending = ArchiveEnding()

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - form: The form of the archive.
    ///   - source: Gives the bytes of the archive.
    ///   - limit: The most bytes that may come out.
    package init(
        _ form: ArchiveForm,
        _ source: @escaping ByteSource,
        limit: ExpansionLimit
    ) {
        self.form = form
        input = SteadyBuffer(source)
        self.limit = limit
        // It returns nothing only if memory is exhausted.
        guard let archive = unsafe archive_read_new() else {
            preconditionFailure("libarchive has no memory for an archive")
        }
        unsafe self.archive = archive
        // A constant text; glibc has this locale built in.
        unsafe locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        // The archive is this object's, and calls back only while the object uses it.
        switch form {
        case .zip: unsafe archive_read_support_format_zip_streamable(archive)
        case .tar: unsafe archive_read_support_format_tar(archive)
        }
        unsafe archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
        unsafe archive_read_set_read_callback(archive) { _, data, bytes in
            unsafe ArchiveReader.fill(data, bytes)
        }
    }

    deinit {
        // Nothing else has them.
        unsafe archive_read_free(archive)
        if let locale = unsafe locale { unsafe freelocale(locale) }
    }

    /// Moves to the next file; returns `nil` at the end if the archive is complete.
    ///
    /// - Throws: `ArchiveProblem`, and what the source throws.
    package func next() throws -> File? {
        if !isOpen {
            isOpen = true
            // The archive is alive.
            guard unsafe archive_read_open1(archive) == ARCHIVE_OK else { throw problem }
        }
        try passOverRest()
        // The locale is alive, and the thread's own is back when this returns.
        let former = unsafe uselocale(locale)
        defer { unsafe uselocale(former) }
        var entry: OpaquePointer?
        // The entry belongs to the archive, and is read before the archive goes on.
        let status = unsafe archive_read_next_header(archive, &entry)
        // A mere oddity, such as a name in an unknown encoding, is no reason to stop.
        guard status >= ARCHIVE_WARN else { throw problem }
        guard status != ARCHIVE_EOF, let entry = unsafe entry else {
            while !isAtEnd { _ = try fill() }
            try ending.check(form, fileCount: fileCount, byteCount: byteCount)
            return nil
        }
        let file = File(
            name: unsafe Self.name(of: entry),
            isRegular: unsafe archive_entry_filetype(entry) == Self.regularFileType,
            isEncrypted: unsafe archive_entry_is_data_encrypted(entry) == 1,
            byteCount: unsafe archive_entry_size_is_set(entry) == 0
                ? nil : Int(archive_entry_size(entry))
        )
        self.file = file
        note(file)
        return file
    }

    /// Appends the next bytes of the file to a span that has room; at the file's end it appends
    /// none.
    ///
    /// - Throws: `ArchiveProblem`, and what the source throws.
    package func read(into output: inout OutputSpan<UInt8>) throws {
        guard file?.isEncrypted != true else { throw ArchiveProblem.encrypted }
        let count = output.count
        // libarchive writes only into the room that it is given.
        let status = unsafe output.withUnsafeMutableBufferPointer { room, filled in
            let start = unsafe room.baseAddress.map { unsafe $0 + filled }
            let status = unsafe archive_read_data(archive, start, room.count - filled)
            filled += max(0, status)
            return status
        }
        // A wrong checksum is a warning.
        guard status >= 0 else { throw problem }
        if file?.byteCount == nil { byteCount? += output.count - count }
        try limit.noteExpanded(output.count - count)
    }

    private func note(_ file: File) {
        fileCount += 1
        if let size = file.byteCount {
            byteCount? += size
        } else if file.isEncrypted {
            byteCount = nil
        }
    }

    /// Reads the rest of the file if its end can be found only by expanding it, so that the limit
    /// applies.
    private func passOverRest() throws {
        guard let file, file.byteCount == nil, !file.isEncrypted else { return }
        var rest: [UInt8] = []
        repeat {
            rest.removeAll(keepingCapacity: true)
            try rest.append(addingCapacity: 1 << 16) { output throws in try read(into: &output) }
        } while !rest.isEmpty
    }

    /// `AE_IFREG`, which Swift does not see.
    private static let regularFileType: mode_t = 0o100_000

    /// Why libarchive could not do what it was asked for.
    private var problem: any Error {
        if let failure { return failure }
        // libarchive asked for bytes after the end of the source.
        guard !isAtEnd else { return ArchiveProblem.truncated }
        // The archive is alive, and its message is copied.
        let message = unsafe archive_error_string(archive).map { unsafe String(cString: $0) }
        return ArchiveProblem.damaged(message ?? "it is no archive")
    }

    private static func name(of entry: OpaquePointer) -> String {
        // It is copied.
        let name = unsafe archive_entry_pathname(entry)
        return unsafe name.map { unsafe String(cString: $0) } ?? "?"
    }

    private func fill() throws -> Int {
        let count = try input.fill()
        isAtEnd = count == 0
        // The memory is not filled again while the span lives.
        let memory = unsafe input.memory
        ending.note(unsafe memory.span.extracting(first: count))
        return count
    }

    private static func fill(
        _ data: UnsafeMutableRawPointer?,
        _ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?
    ) -> Int {
        // libarchive hands back what it was given.
        guard let data = unsafe data else { return -1 }
        // It is reading right now, and so alive.
        let reader = unsafe Unmanaged<ArchiveReader>.fromOpaque(data).takeUnretainedValue()
        do {
            let count = try reader.fill()
            // The memory stays until it is filled again.
            unsafe bytes?.pointee = UnsafeRawPointer(reader.input.memory.baseAddress)
            return count
        } catch {
            reader.failure = error
            return -1
        }
    }
}
