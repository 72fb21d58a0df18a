import Foundation
import LMDB
import SystemPackage
import Testing

@Suite struct MappedRegionTests {
    private static let valueBytes = 60_000
    private static let count = 1_000

    /// Less than a page.
    private static let step = 3_000

    private let playground: Playground
    private let environment: Environment
    private let table: Table

    init() throws {
        playground = try Playground()
        environment = try playground.newEnvironment()
        table = try environment.write { transaction in
            let table = try transaction.createTable("blocks")
            for number in 0..<Self.count {
                let value = [UInt8](repeating: 7, count: Self.valueBytes)
                try transaction.put(table, [UInt8](key: number), value, append: true)
            }
            return table
        }
        // Read in order, the file lies in the system's memory in pieces as large as huge pages.
        _ = try Data(contentsOf: dataFile)
    }

    private var dataFile: URL { URL(fileURLWithPath: playground.dataPath.string) }

    /// Returns how many bytes of the data file are mapped into this process.
    private func residentBytes() throws -> Int {
        // To its end: its size is said to be 0, and one read gives a part of it.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
        let maps = try String(decoding: file.readToEnd() ?? Data(), as: UTF8.self)
        var isOurs = false
        var bytes = 0
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ")
            if !words[0].hasSuffix(":") {
                isOurs = line.hasSuffix(dataFile.resolvingSymlinksInPath().path)
            } else if isOurs, words[0] == "Rss:", let kibibytes = Int(words[1]) {
                bytes += kibibytes << 10
            }
        }
        return bytes
    }

    /// Reads all values in place, and returns the most that was mapped after one of them.
    private func mostMapped(keeping limit: Int) throws -> Int {
        try environment.read { transaction in
            var cursor = try transaction.cursor(table)
            var region = MappedRegion(around: &cursor)
            var most = 0
            var sum = 0
            var count = 0
            var isFound = try cursor.first()
            while isFound {
                let value = cursor.value
                for index in stride(from: 0, to: value.count, by: Self.step) {
                    sum += Int(value[index])
                }
                count += 1
                region.extend(cursor.value)
                if count.isMultiple(of: 25) { most = max(most, try residentBytes()) }
                if region.mappedBytes > limit { region.forget() }
                isFound = try cursor.next()
            }
            region.forget()
            #expect(sum == 7 * Self.count * Self.valueBytes / Self.step)
            #expect(region.mappedBytes == 0)
            return most
        }
    }

    @Test func `who forgets in time keeps little of a map, and reads the same`() throws {
        let all = try mostMapped(keeping: .max)
        #expect(all >= Self.count * Self.valueBytes)
        // What is beyond the last value is not known to be the map: a huge page at most.
        #expect(try residentBytes() <= 4 << 20)
        #expect(try mostMapped(keeping: 8 << 20) <= 20 << 20)
    }

    @Test func `nothing is given back of a map that nothing was read of`() throws {
        var region = MappedRegion()
        region.forget()
        #expect(region.mappedBytes == 0)
        let value: [UInt8] = [1, 2, 3]
        region.extend(value.span.extracting(1..<1))
        #expect(region.mappedBytes == 0)
        region.extend(value.span)
        #expect(region.mappedBytes == 2 << 20)
    }
}
