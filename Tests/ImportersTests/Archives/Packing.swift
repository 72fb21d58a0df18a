import DriveSimulation
import Foundation
import TestSupport

/// Files packed by the programs that people pack them with.
struct Packing {
    /// Means of packing.
    enum Means: CaseIterable {
        case gzip, tar, compressedTar

        /// Packed by Python, into a file and into a pipe: the sizes stand before the files, or
        /// after them.
        case zip, streamedZip

        /// The files as they are, with nothing compressed.
        case storedZip
    }

    /// The files by name, in their order; for gzip, the members.
    let files: [Archived.File]

    /// Makes files of random text with parts that repeat; some are empty.
    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        files = (0..<Int.random(in: 1...5, using: &random))
            .map { index in
                let line = (0..<Int.random(in: 1...80, using: &random))
                    .map { _ in UInt8.random(in: 0...255, using: &random) }
                let repeats = Int.random(in: 0...200, using: &random)
                let bytes = (0..<repeats)
                    .flatMap { _ in
                        line + [UInt8.random(in: 0...255, using: &random)]
                    }
                return Archived.File(name: "d\(index)/fä \(index).gpx", bytes: bytes)
            }
    }

    /// The files that should come out.
    func expected(_ means: Means) -> [Archived.File] {
        means == .gzip ? [Archived.File(name: "", bytes: files.flatMap(\.bytes))] : files
    }

    /// Takes some files.
    init(_ files: [Archived.File]) {
        self.files = files
    }

    /// Whether what came out of a part is all that could be missed: a whole member of gzip is, and
    /// the zeros that pad a tar archive.
    func mayEnd(_ unpacked: Archived, _ means: Means) -> Bool {
        switch means {
        case .gzip:
            (1...files.count)
                .contains { count in
                    unpacked.files.first?.bytes == files.prefix(count).flatMap(\.bytes)
                }
        case .tar: unpacked.files == files
        case .compressedTar, .zip, .streamedZip, .storedZip: false
        }
    }

    /// Packs the files.
    func packed(_ means: Means) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        for file in files {
            let path = URL(fileURLWithPath: "\(directory.path)/\(file.name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(file.bytes).write(to: path)
        }
        let names = files.map(\.name)
        return try output(of: Self.command(means) + names, in: directory.path)
    }

    private static func command(_ means: Means) -> [String] {
        switch means {
        case .gzip: ["sh", "-c", "for name; do gzip -c \"$name\"; done", "sh"]
        case .tar: ["tar", "cf", "-", "--"]
        case .compressedTar: ["tar", "czf", "-", "--"]
        case .zip: ["python3", "-c", python("io.BytesIO()", "8")]
        case .streamedZip: ["python3", "-c", python("Pipe()", "8")]
        case .storedZip: ["python3", "-c", python("io.BytesIO()", "0")]
        }
    }

    /// A program that packs the files that it is told.
    private static func python(_ output: String, _ compression: String) -> String {
        """
        import io, sys, zipfile
        class Pipe(io.RawIOBase):
            def __init__(self): self.held = b""
            def writable(self): return True
            def write(self, data): self.held += bytes(data); return len(data)
            def getvalue(self): return self.held
        output = \(output)
        with zipfile.ZipFile(output, "w", \(compression)) as archive:
            for name in sys.argv[1:]: archive.write(name)
        sys.stdout.buffer.write(output.getvalue())
        """
    }

    private func output(of command: [String], in directory: String) throws -> [UInt8] {
        let program = Subprocess(URL(fileURLWithPath: "/usr/bin/env"), arguments: command)
        program.currentDirectoryURL = URL(fileURLWithPath: directory)
        let pipe = Pipe()
        program.standardOutput = .pipe(pipe)
        try program.start()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        program.waitForEnd()
        return Array(data)
    }
}
