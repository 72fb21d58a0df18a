/// The two halves of a proof file: lines, and behind the first empty line a signed head.
struct ProofParts {
    /// The lines above.
    let lines: [Substring]

    /// The note below.
    let note: [UInt8]

    init(_ bytes: [UInt8]) throws(ProofDamage) {
        let gap = bytes.indices.dropLast()
            .first {
                bytes[$0] == UInt8(ascii: "\n") && bytes[$0 + 1] == UInt8(ascii: "\n")
            }
        guard let gap else { throw ProofDamage("a proof has an empty line above its head") }
        guard let text = String(validating: bytes[..<gap], as: UTF8.self) else {
            throw ProofDamage("a proof is UTF-8, and this is not")
        }
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        note = Array(bytes[(gap + 2)...])
    }

    /// Reads hashes, each on a line of its own.
    static func path(
        _ lines: ArraySlice<Substring>,
        maximumCount: Int
    ) throws(ProofDamage) -> [Digest] {
        guard lines.count <= maximumCount else {
            throw ProofDamage("a proof has at most \(maximumCount) hashes")
        }
        var path: [Digest] = []
        for line in lines {
            guard let hash = Base64.bytes(line).flatMap({ Digest($0) }) else {
                throw ProofDamage("a hash is not 32 bytes in base64")
            }
            path.append(hash)
        }
        return path
    }

    /// Writes hashes, each on a line of its own.
    static func text(of path: [Digest]) -> String {
        path.map { Base64.text($0.array) + "\n" }.joined()
    }
}
