import Platform
package import Proofs
package import SystemPackage
import TripEvents
package import TripLedger

/// A file with a key that signs; only its owner may read it.
package struct SigningKeyFile {
    private static let maximumByteCount = 1_000

    /// Where the file is, or will be.
    package let path: FilePath

    /// Names a file.
    package init(at path: FilePath) {
        self.path = path
    }

    /// Names the file where the key of a ledger is kept, outside the ledger.
    ///
    /// - Throws: `.notFound` if there is no home directory.
    package init(of ledger: Ledger) throws(LedgerError) {
        try self.init(ofLedger: ledger.founding.ledger)
    }

    /// Names the file where the key of the ledger with some id is kept.
    ///
    /// - Throws: `.notFound` if there is no home directory.
    init(ofLedger id: String) throws(LedgerError) {
        path = try UserDirectory.configuration.required
            .appending("ledger/keys/\(Ledger.fileName(ofID: id)).key")
    }

    /// Makes a key from fresh randomness, and the file with it.
    ///
    /// - Returns: The key as it is read back from the file.
    /// - Throws: `.alreadyThere` if there is a file, which is left as it is; `.inputOutput`.
    package func create(name: KeyName) throws(LedgerError) -> SigningKey {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<SigningSeed.byteCount)
            .map { _ in UInt8(truncatingIfNeeded: random.next()) }
        guard let seed = SigningSeed(bytes) else { preconditionFailure("a seed has 32 bytes") }
        let made = SigningKey(name: name, seed: seed)
        try LedgerError.translating(at: path) {
            let folder = path.removingLastComponent()
            if !folder.isEmpty { try Directory.make(folder) }
            do {
                let text = Array((made.secretText + "\n").utf8)
                try DurableFile.put(text, at: path, isReplacing: false)
            } catch Errno.fileExists {
                throw LedgerError(
                    .alreadyThere,
                    at: path.string,
                    cause: "there is a key here already",
                    hint: "Show it with `ledger key show`, or name another file with --output"
                )
            }
        }
        return try key()
    }

    /// Reads the key.
    ///
    /// - Throws: `.notFound` if there is no file; `.unreadableInput` if it is not a key, or if
    ///   others than its owner may read or write it.
    package func key() throws(LedgerError) -> SigningKey {
        let bytes: [UInt8]
        do {
            let descriptor = try PrivateFile.open(path)
            bytes = try descriptor.closeAfter {
                try checkRights(Stat(descriptor))
                return try PrivateFile.read(descriptor, maximumByteCount: Self.maximumByteCount)
            }
        } catch let error as LedgerError {
            throw error
        } catch Errno.noSuchFileOrDirectory {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "there is no key here",
                hint: "Make one with `ledger key new`, or name its file with --key"
            )
        } catch {
            throw refusal((error as? Errno ?? .ioError).description)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasSuffix("\n"), let key = SigningKey(secretText: text.dropLast()) else {
            throw refusal("this is not a key that `ledger key new` has made")
        }
        return key
    }

    private func checkRights(_ status: Stat) throws {
        guard status.type == .regular else { throw refusal("a key is a file, and this is none") }
        let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
        guard status.permissions.isDisjoint(with: others) else {
            throw refusal(
                "others than its owner may read or write this key",
                hint: "If no other person has seen it: chmod 600 \(path.string)"
            )
        }
    }

    private func refusal(_ cause: String, hint: String = "") -> LedgerError {
        LedgerError(.unreadableInput, at: path.string, cause: cause, hint: hint)
    }
}

extension UserDirectory {
    /// The directory.
    ///
    /// - Throws: `.notFound` if there is no home directory.
    var required: FilePath {
        get throws(LedgerError) {
            if let path { return path }
            throw LedgerError(
                .notFound,
                at: variable,
                cause: "there is no home directory",
                hint: "Set HOME or \(variable)"
            )
        }
    }
}

extension Ledger {
    /// The name under which files about this ledger are kept elsewhere: its id, or the hash of an
    /// id that could lead somewhere else.
    var fileName: String { Self.fileName(ofID: founding.ledger) }

    /// The name under which files about the ledger with some id are kept elsewhere.
    static func fileName(ofID id: String) -> String {
        let isPlain = id.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: false
            }
        }
        return isPlain && id.utf8.count == 32
            ? id : SHA256.digest(Array(id.utf8).span).description
    }

    /// The name that the ledger's key gets by default.
    package var defaultKeyName: KeyName {
        guard let name = KeyName("trip-ledger/\(fileName)") else {
            preconditionFailure("hexadecimal digits make a name")
        }
        return name
    }
}
