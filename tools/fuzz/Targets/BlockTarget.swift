@testable import EventStore

/// Blocks with whatever header and entries, as they are and with a checksum that is right.
///
/// A block whose entries can be read, built again from these entries, has the same entries.
///
/// Another form of blocks gets another call here: what it is decoded to goes the same way.
enum BlockTarget {
    static func check(_ input: [UInt8]) {
        guard input.count >= BlockHeader.byteCount else {
            _ = try? BlockView(input.span, at: 0)
            return
        }
        read(input)
        // Nothing in between would ever be reached if the checksum had to be guessed.
        var sealed = input
        guard var header = BlockHeader(input.span) else { return }
        header.length = input.count
        header.checksum = 0
        header.write(to: &sealed)
        header.checksum = Checksum.crc32c(sealed.span.extracting(droppingFirst: 4))
        header.write(to: &sealed)
        read(sealed)
    }

    private static func read(_ bytes: [UInt8]) {
        guard let header = BlockHeader(bytes.span),
            let block = try? BlockView(bytes.span, at: header.firstPosition)
        else { return }
        expect(
            block.count == header.count && block.firstPosition == header.firstPosition,
            "a block is not what its header says"
        )
        var entries = block.entries
        var content: [UInt8] = []
        do {
            while let entry = try entries.next() {
                content += [UInt8](copying: entry.bytes)
                EntryTarget.check(entry)
            }
        } catch {
            // The rest of the block is no entry.
            return
        }
        expect(entries.position == block.endPosition, "a block has not the entries it counts")
        expect(content == Array(bytes[BlockHeader.byteCount...]), "a block has hidden bytes")
        guard var builder = try? BlockBuilder(reopening: block), let again = builder.finish() else {
            fatalError("a block that was read cannot be reopened")
        }
        expect(again.dropFirst(BlockHeader.byteCount).elementsEqual(content), "entries changed")
        expect((try? BlockView(again.span, at: header.firstPosition)) != nil, "built wrong")
    }
}
