internal import Glibc
internal import SystemPackage

extension LMDBError {
    /// Runs a call of the system and says which one failed on which file.
    static func system<Result>(
        _ operation: String,
        _ path: FilePath,
        _ body: () throws -> Result
    ) throws(LMDBError) -> Result {
        do {
            return try body()
        } catch {
            let number = error as? Errno ?? .ioError
            throw LMDBError(code: .system(number), operation: operation, path: path)
        }
    }

    /// Checks what a function of the C library returned that leaves its reason in `errno`.
    static func require(
        _ status: CInt,
        _ operation: String,
        _ path: FilePath
    ) throws(LMDBError) {
        let number = Errno(rawValue: errno)
        guard status == 0 else {
            throw LMDBError(code: .system(number), operation: operation, path: path)
        }
    }
}
