@testable import EventStore

/// Compact blocks that hold any bytes in sound frames.
///
/// No change of a frame leads to another sound one, for its checksum would be wrong. The first two
/// bytes of the input are the number of entries.
///
/// Bytes from which entries are made are the columns of these entries, and of no others.
enum ColumnTarget {
    static func check(_ input: [UInt8]) {
        guard input.count > 2 else { return }
        let count = Int(input[0]) | Int(input[1]) << 8
        let content = Array(input[2...])
        let frame = Zstd.Encoder().frame(of: content.span)
        var buffer = BlockBuffer()
        // Bytes that another block left in the buffer must not shine through.
        _ = buffer.decode(frame.span, count: count + 1)
        guard buffer.decode(frame.span, count: count) else { return }
        let entries = [UInt8](copying: buffer.entries)
        var columns = EntryColumns()
        expect(columns.separate(entries.span, count: count) == content, "other columns")
        var iterator = EntryIterator(entries.span, firstPosition: 0, count: count)
        var checked = 0
        do {
            while let entry = try iterator.next() {
                if checked < 4 { EntryTarget.check(entry) }
                checked += 1
            }
        } catch {
            // The lengths add up, but this is no entry for another reason.
            return
        }
    }
}
