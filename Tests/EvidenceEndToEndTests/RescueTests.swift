import DriveSimulation
import Foundation
import TestSupport
import Testing

/// A rescue of a damaged file gives its entries byte for byte, from the start to the first gap; it
/// invents nothing, and drops nothing that was found.
@Suite struct RescueTests {
    /// With the last seed, the first lost page begins with the first event of a source.
    @Test(arguments: Seeds.fresh(6) + [2_613_115_831])
    func `the entries before the first lost page are there again`(seed: UInt64) throws {
        let book = try LedgerProcess()
        try book.begin()
        for lines in DriveLines.mixed(seed: seed).chunks(of: 40) {
            try book.append(DriveLines.data(lines))
        }
        let sound = try book.run("log", "--format", "json").lines
        let file = URL(fileURLWithPath: book.directory.path("book/log/data.mdb"))
        var data = try Data(contentsOf: file)
        var random = SplitMix64(seed: seed)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let page = Int.random(in: 0..<data.count / 4_096, using: &random) * 4_096
            data.replaceSubrange(page..<page + 4_096, with: Data(count: 4_096))
        }
        try data.write(to: file)

        let rescue = try book.run("rescue", "book", "-o", "saved", "--format", "json")
        let report = try JSONDecoder().decode(Report.self, from: rescue.output)
        #expect(report.complete == (rescue.exitCode == 0), "seed \(seed)")
        let stranded = try report.stranded.map(Self.positions).reduce(0) { $0 + $1.count }
        #expect(report.size + stranded <= sound.count, "seed \(seed)")
        if report.complete { #expect(report.size == sound.count, "seed \(seed)") }
        guard report.size > 0 else { return }
        let saved = try book.run("log", "--ledger", "saved", "--format", "json").lines
        #expect(saved == Array(sound.prefix(report.size)), "seed \(seed)")
        let verification = try book.run("verify", "saved")
        #expect(verification.exitCode == 0, "seed \(seed): \(verification.text)")
    }

    @Test func `a sound file is rescued in full, with the same root`() throws {
        let book = try LedgerProcess()
        try book.begin()
        let root = try book.append(DriveLines.data(DriveLines.mixed(seed: 1))).root
        let rescue = try book.run("rescue", "book/log/data.mdb", "-o", "saved", "--format", "json")
        #expect(rescue.exitCode == 0, "\(rescue.text)")
        #expect(rescue.text.contains(root))
    }

    @Test func `a known head says how far what is saved is proven`() throws {
        let book = try LedgerProcess()
        try book.begin()
        let lines = DriveLines.mixed(seed: 2).chunks(of: 60)
        let first = try book.append(DriveLines.data(lines[0]))
        try book.append(DriveLines.data(lines[1]))
        let known = "\(first.size):\(first.root)"
        let rescue = try book.run("rescue", "book", "-o", "saved", "--known-head", known)
        #expect(rescue.exitCode == 0, "\(rescue.text)")
        #expect(rescue.text.contains("Proven by a known head   the first \(first.size)\n"))
        let wrong = "\(first.size):\(String(repeating: "a", count: 64))"
        let doubtful = try book.run("rescue", "book", "-o", "other", "--known-head", wrong)
        #expect(doubtful.exitCode == 1)
        #expect(doubtful.text.contains("the known head of \(first.size) entries"))
    }

    @Test func `a known head has a root, and no other word`() throws {
        let book = try LedgerProcess()
        try book.begin()
        for head in ["2:nonsense", "2:", "2", "2:\(String(repeating: "g", count: 64))"] {
            let rescue = try book.run("rescue", "book", "-o", "saved", "--known-head", head)
            #expect(rescue.exitCode == 64, "\(head): \(rescue.text)")
        }
    }

    @Test func `an entry that was changed, and its checksum with it, is not called complete`()
        throws
    {
        let book = try LedgerProcess()
        try book.begin()
        try book.append(DriveLines.data(DriveLines.mixed(seed: 3)))
        let file = URL(fileURLWithPath: book.directory.path("book/log/data.mdb"))
        var data = try Data(contentsOf: file)
        // Blocks stand behind the header of an overflow page, whose flag is 4.
        let page = try #require(
            stride(from: 0, to: data.count, by: 4_096).first { data[$0 + 10] == 4 }
        )
        let length = Int(data[page + 24]) | Int(data[page + 25]) << 8
        var block = [UInt8](data[page + 16..<page + 16 + length])
        // The nonce of the first entry.
        block[32 + 18] ^= 1
        block.seal()
        data.replaceSubrange(page + 16..<page + 16 + length, with: block)
        try data.write(to: file)

        let rescue = try book.run("rescue", "book", "-o", "saved")
        #expect(rescue.exitCode == 1, "\(rescue.text)")
        #expect(rescue.text.contains("an entry was changed, or the log's own root"))
    }

    private struct Report: Decodable {
        var size: Int
        var complete: Bool
        var stranded: [String]
    }

    private static func positions(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "-").compactMap { Int($0) }
        try #require(ends.count == 2)
        return ends[0]...ends[1]
    }
}

extension Array {
    /// Cuts the array into pieces of `count` elements; the last may be shorter.
    fileprivate func chunks(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count)
            .map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
