import Importers
import Testing

@Suite struct ArchiveReaderTests {
    private static let zeros = Packing([
        Archived.File(name: "zeros", bytes: Array(repeating: 0, count: 1 << 27)),
        Archived.File(name: "more"),
    ])

    @Test(arguments: [Packing.Means.gzip, .compressedTar, .zip, .streamedZip])
    func `what expands as no recording does is refused`(means: Packing.Means) throws {
        let unpacked = Archived(try Self.zeros.packed(means == .compressedTar ? .gzip : means))
        #expect(unpacked.problem == .tooMuch)
    }

    @Test func `what is passed over is not expanded without limit either`() throws {
        let bytes = try Self.zeros.packed(.streamedZip)
        let limit = ExpansionLimit()
        limit.noteRead(bytes.count)
        var position = 0
        let reader = ArchiveReader(
            .zip,
            { output in
                while position < bytes.count, output.freeCapacity > 0 {
                    output.append(bytes[position])
                    position += 1
                }
            },
            limit: limit
        )
        #expect(try reader.next()?.name == "zeros")
        #expect(throws: ArchiveProblem.tooMuch) { try reader.next() }
    }

    @Test func `what gzip compressed comes out up to the damage`() throws {
        let content = Array("what was recorded before".utf8)
        var bytes = try Packing([Archived.File(name: "a", bytes: content)]).packed(.gzip)
        // The checksum stands before the length (RFC 1952, 2.3.1), and is seen at the very end.
        bytes[bytes.count - 8] ^= 1
        var rest = bytes[...]
        let reader = GzipReader(
            { output in
                while output.freeCapacity > 0, let byte = rest.popFirst() { output.append(byte) }
            },
            limit: ExpansionLimit()
        )
        var found: [UInt8] = []
        try found.append(addingCapacity: 1 << 10) { output throws in
            try reader.read(into: &output)
        }
        #expect(found == content)
        #expect(throws: ArchiveProblem.damaged("incorrect data check")) {
            try found.append(addingCapacity: 1 << 10) { output throws in
                try reader.read(into: &output)
            }
        }
    }

    @Test func `what gzip compressed comes out up to where it was cut off`() throws {
        let content = [UInt8](repeating: 7, count: 5_000)
        let bytes = try Packing([Archived.File(name: "a", bytes: content)]).packed(.gzip)
        // Without the checksum and the length.
        var rest = bytes.dropLast(8)
        let reader = GzipReader(
            { output in
                while output.freeCapacity > 0, let byte = rest.popFirst() { output.append(byte) }
            },
            limit: ExpansionLimit()
        )
        var found: [UInt8] = []
        #expect(throws: ArchiveProblem.truncated) {
            while true {
                // Less room than a step of zlib fills, so that it keeps some.
                try found.append(addingCapacity: 100) { output throws in
                    try reader.read(into: &output)
                }
            }
        }
        #expect(found == content)
    }

    @Test func `a password is asked for`() throws {
        var bytes = try Packing([Archived.File(name: "a", bytes: Array("hello".utf8))])
            .packed(.storedZip)
        // The lowest bit of the flags of the first file (APPNOTE.TXT 4.4.4).
        bytes[6] |= 1
        #expect(Archived(bytes).problem == .encrypted)
    }

    @Test func `directories and links are no files`() throws {
        let reader = Archived(try Packing([Archived.File(name: "d/a")]).packed(.tar))
        #expect(reader.files == [Archived.File(name: "d/a")])
    }
}

@Suite struct ContainerFormTests {
    @Test func `the first bytes tell a container`() throws {
        let files = Packing([Archived.File(name: "a", bytes: [1])])
        let forms: [(Packing.Means, ContainerForm)] = [
            (.gzip, .gzip), (.tar, .archive(.tar)), (.compressedTar, .gzip),
            (.zip, .archive(.zip)), (.streamedZip, .archive(.zip)),
        ]
        for (means, form) in forms {
            let bytes = try files.packed(means)
            #expect(ContainerForm(bytes.span) == form)
        }
        for text in ["", "P", "{\"type\":1}", "PK of my car"] {
            #expect(ContainerForm(Array(text.utf8).span) == nil)
        }
    }
}
