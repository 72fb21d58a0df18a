/// What the owner of a log signs: whose log it is, and a tree head (the text of a C2SP checkpoint).
package struct HeadNote: Hashable, Sendable {
    /// Whose log it is: a line that is not empty.
    ///
    /// Our own ledgers' is the name of their key.
    package let origin: String

    /// The size and root of the log.
    package let head: TreeHead

    /// Further lines, which mean nothing to us but are signed too.
    package let extensionLines: [String]

    /// Creates a head note without further lines.
    package init(origin: KeyName, head: TreeHead) {
        self.origin = origin.description
        self.head = head
        extensionLines = []
    }

    /// Reads the text of a note.
    ///
    /// - Throws: `ProofDamage` if it is not exactly a head note's.
    package init(_ text: String) throws(ProofDamage) {
        guard text.hasSuffix("\n") else { throw ProofDamage("a head ends with a line feed") }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3 else {
            throw ProofDamage("a head has three lines: origin, size and root")
        }
        guard !lines[0].isEmpty else { throw ProofDamage("the head names no origin") }
        guard let size = DecimalNumber.read(lines[1]) else {
            throw ProofDamage("the head's size is no whole number below 2^63")
        }
        guard let root = Base64.bytes(lines[2]).flatMap({ Digest($0) }) else {
            throw ProofDamage("the head's root is not 32 bytes in base64")
        }
        guard lines.dropFirst(3).allSatisfy({ !$0.isEmpty }) else {
            throw ProofDamage("the head has an empty line")
        }
        guard size > 0 || root == MerkleFrontier.emptyRoot else {
            throw ProofDamage("the head's root is not that of an empty log")
        }
        origin = String(lines[0])
        head = TreeHead(size: size, root: root)
        extensionLines = lines.dropFirst(3).map { String($0) }
    }

    /// The note's text.
    package var text: String {
        let lines = [origin, String(head.size), Base64.text(head.root.array)]
        return (lines + extensionLines).map { $0 + "\n" }.joined()
    }

    /// Returns whether two texts have the same bytes; what only looks alike is signed differently.
    package static func == (left: HeadNote, right: HeadNote) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Feeds the text's bytes to a hasher.
    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// Returns the head, signed by a key of the same name.
    package func signed(by key: SigningKey) -> SignedHead {
        precondition(key.name.isOrigin(origin), "a key signs heads of its own log")
        return SignedHead(self, signatures: [key.signature(of: text)])
    }
}
