import Glibc
import SystemPackage

/// Files for parsers that read files.
enum ScratchFiles {
    /// Their directory, which `tools/fuzz/run` makes and removes.
    static let directory: FilePath = {
        guard let path = getenv("LEDGER_FUZZ_FILES") else {
            fatalError("LEDGER_FUZZ_FILES names an empty directory")
        }
        return FilePath(String(cString: path))
    }()

    /// Makes a file hold these bytes and nothing else.
    static func write(_ bytes: some Collection<UInt8>, to name: String) {
        let path = directory.pushing(FilePath(name))
        makeDirectory(path.removingLastComponent())
        do {
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .truncate],
                permissions: .ownerReadWrite
            )
            try file.closeAfter { _ = try file.writeAll(bytes) }
        } catch {
            fatalError("\(path): \(error)")
        }
    }

    /// Removes a file if it is there.
    static func remove(_ name: String) {
        _ = directory.pushing(FilePath(name)).withPlatformString { unlink($0) }
    }

    private static func makeDirectory(_ path: FilePath) {
        guard path.starts(with: directory), path != directory else { return }
        guard path.withPlatformString({ mkdir($0, 0o700) }) != 0, errno == ENOENT else { return }
        makeDirectory(path.removingLastComponent())
        _ = path.withPlatformString { mkdir($0, 0o700) }
    }
}
