import Importers

/// The content of something compressed, and the problem that stopped its reading.
struct Archived: Equatable {
    /// A file that came out of it.
    struct File: Equatable {
        /// Its name; empty with gzip, which holds only one.
        let name: String

        /// What it holds.
        var bytes: [UInt8] = []
    }

    /// The files in their order.
    private(set) var files: [File] = []

    /// Why it could not be read to its end.
    private(set) var problem: ArchiveProblem?

    /// Reads bytes; `atOnce` says how many come at a time.
    init(_ bytes: [UInt8], atOnce: @escaping () -> Int = { .max }) {
        let limit = ExpansionLimit()
        var position = 0
        let source: ByteSource = { output in
            let count = min(output.freeCapacity, max(1, atOnce()), bytes.count - position)
            limit.noteRead(count)
            for index in position..<position + count { output.append(bytes[index]) }
            position += count
        }
        do {
            switch ContainerForm(bytes.span) {
            case .gzip: try read("", GzipReader(source, limit: limit).read)
            case .archive(let form):
                let reader = ArchiveReader(form, source, limit: limit)
                while let file = try reader.next() {
                    if file.isRegular { try read(file.name, reader.read) }
                }
            case nil: problem = .damaged("it begins like no container")
            }
            // A compressed archive.
            if let first = files.first?.bytes, ContainerForm(first.span) == .archive(.tar) {
                self = Archived(first, atOnce: atOnce)
            }
        } catch {
            problem = error as? ArchiveProblem
        }
    }

    private mutating func read(_ name: String, _ next: ByteSource) throws {
        var file = File(name: name)
        var piece: [UInt8] = []
        repeat {
            piece.removeAll(keepingCapacity: true)
            try piece.append(addingCapacity: 1 << 16) { output throws in try next(&output) }
            file.bytes += piece
            // If a file is this large, only its end matters.
            if file.bytes.count > 1 << 24 { file.bytes.removeAll() }
        } while !piece.isEmpty
        files.append(file)
    }
}
