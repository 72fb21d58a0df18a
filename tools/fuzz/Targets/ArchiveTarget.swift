import Importers

/// Compressed data and archives.
///
/// The files are the same, however the data is cut; from a damaged archive, libarchive gives more
/// or less of the part before the damage.
enum ArchiveTarget {
    static let forms: [String: ContainerForm] = [
        "gzip": .gzip, "zip": .archive(.zip), "tar": .archive(.tar),
    ]

    /// The files that came out, and the problem that ended them.
    private struct Contents: Equatable {
        var names: [String] = []
        var files: [[UInt8]] = []
        var problem: ArchiveProblem?
    }

    static func check(_ input: [UInt8], as form: ContainerForm) {
        _ = ContainerForm(input.span)
        let whole = contents(of: input, as: form, pieceByteCount: max(1, input.count))
        // The words of libarchive may depend on how far it has looked ahead.
        let pieces = contents(of: input, as: form, pieceByteCount: 7)
        expect(whole.names == pieces.names, "\(form) holds others when it is cut")
        let isDamaged = whole.problem != nil && form != .gzip
        let count = max(0, whole.files.count - (isDamaged ? 1 : 0))
        expect(
            whole.files.prefix(count) == pieces.files.prefix(count)
                && whole.files.count == pieces.files.count,
            "\(form) holds other bytes when it is cut"
        )
        expect((whole.problem == nil) == (pieces.problem == nil), "\(form) ends otherwise when cut")
    }

    private static func contents(
        of input: [UInt8],
        as form: ContainerForm,
        pieceByteCount: Int
    ) -> Contents {
        var contents = Contents()
        let limit = ExpansionLimit()
        var position = 0
        let source: ByteSource = { output in
            let end = min(input.count, position + min(pieceByteCount, output.freeCapacity))
            limit.noteRead(end - position)
            while position < end {
                output.append(input[position])
                position += 1
            }
        }
        do {
            switch form {
            case .gzip:
                let reader = GzipReader(source, limit: limit)
                contents.files.append([])
                try read(into: &contents) { output throws in try reader.read(into: &output) }
            case .archive(let form):
                let reader = ArchiveReader(form, source, limit: limit)
                while let file = try reader.next() {
                    contents.names.append(file.name)
                    guard file.isRegular else { continue }
                    contents.files.append([])
                    try read(into: &contents) { output throws in try reader.read(into: &output) }
                }
            }
        } catch let problem as ArchiveProblem {
            contents.problem = problem
        } catch {
            fatalError("\(form) throws \(error)")
        }
        return contents
    }

    private static func read(into contents: inout Contents, _ source: ByteSource) throws {
        let last = contents.files.count - 1
        var count = -1
        while count != contents.files[last].count {
            count = contents.files[last].count
            try contents.files[last]
                .append(addingCapacity: 1 << 12) { output throws in
                    try source(&output)
                }
        }
    }
}
