@testable import EventStore

/// Blocks with any header and entries, as they are and with a correct checksum.
///
/// A plain block whose entries can be read, built again from these entries, has the same entries; a
/// compact one, decoded again into a buffer that was used for another, too.
enum BlockTarget {
    static func check(_ input: [UInt8]) {
        guard input.count >= BlockHeader.byteCount else {
            var buffer = BlockBuffer()
            expect((try? BlockView(input.span, at: 0, decodedInto: &buffer)) == nil, "no header")
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
        var buffer = BlockBuffer()
        guard let header = BlockHeader(bytes.span),
            let block = try? BlockView(bytes.span, at: header.firstPosition, decodedInto: &buffer)
        else { return }
        expect(
            block.count == header.count && block.firstPosition == header.firstPosition,
            "a block is not what its header says"
        )
        var entries = block.entries
        var content: [UInt8] = []
        var checked = 0
        do {
            while let entry = try entries.next() {
                content += [UInt8](copying: entry.bytes)
                // Entries have a target of their own, and a block may have thousands.
                if checked < 4 { EntryTarget.check(entry) }
                checked += 1
            }
        } catch {
            // The rest of the block is no entry.
            return
        }
        expect(entries.position == block.endPosition, "a block has not the entries it counts")
        if block.isCompact {
            readAgain(bytes, header, expecting: content)
        } else {
            build(block, header, expecting: content, in: bytes)
        }
    }

    private static func build(
        _ block: BlockView,
        _ header: BlockHeader,
        expecting content: [UInt8],
        in bytes: [UInt8]
    ) {
        expect(content == Array(bytes[BlockHeader.byteCount...]), "a block has hidden bytes")
        guard var builder = try? BlockBuilder(after: block), let again = builder.finish() else {
            fatalError("a block that was read cannot be reopened")
        }
        expect(again.dropFirst(BlockHeader.byteCount).elementsEqual(content), "entries changed")
        var buffer = BlockBuffer()
        let rebuilt = try? BlockView(again.span, at: header.firstPosition, decodedInto: &buffer)
        expect(rebuilt != nil, "built wrong")
    }

    private static func readAgain(
        _ bytes: [UInt8],
        _ header: BlockHeader,
        expecting content: [UInt8]
    ) {
        var buffer = BlockBuffer()
        let compact = bytes.span.extracting(droppingFirst: BlockHeader.byteCount)
        // Bytes that another block left in the buffer must not shine through.
        _ = buffer.decode(compact.extracting(droppingLast: 1), count: header.count)
        expect(buffer.decode(compact, count: header.count), "a block is decoded only once")
        expect(buffer.entries.hasSameBytes(as: content.span), "a block is decoded to others")
    }
}
