import Foundation
import LMDB
import SystemPackage
import Testing

/// The process stays small, however large the file is.
@Suite struct ResidentPagesTests {
    private static let valueBytes = 60_000
    private static let count = 1_000

    /// Less than a page.
    private static let step = 3_000

    /// Four megabytes of reads and two of changes, and as much for the pages that lead to them.
    private static let mostResidentBytes = 12 << 20

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
    private func readAll(expecting byte: UInt8 = 7) throws -> Int {
        try environment.read { transaction in
            var cursor = try transaction.cursor(table)
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
                if count.isMultiple(of: 25) { most = max(most, try residentBytes()) }
                isFound = try cursor.next()
            }
            #expect(sum == Int(byte) * Self.count * Self.valueBytes / Self.step)
            return most
        }
    }

    @Test func `reading a large file keeps little of it mapped, and is right`() throws {
        #expect(try readAll() <= Self.mostResidentBytes)
        #expect(try residentBytes() <= Self.mostResidentBytes)
        #expect(try readAll() <= Self.mostResidentBytes)
    }

    @Test func `lookups all over a large file keep little of it mapped`() throws {
        var most = 0
        for number in 0..<Self.count {
            let key = [UInt8](key: number * 331 % Self.count)
            try environment.read { transaction in
                var sum = 0
                guard let value = try transaction.get(table, key) else {
                    Issue.record("Key \(number) is missing.")
                    return
                }
                for index in stride(from: 0, to: value.count, by: Self.step) {
                    sum += Int(value[index])
                }
                #expect(sum == 7 * Self.valueBytes / Self.step)
            }
            if number.isMultiple(of: 25) { most = max(most, try residentBytes()) }
        }
        #expect(most <= Self.mostResidentBytes)
    }

    @Test func `changes all over a large file keep little of it mapped`() throws {
        var most = 0
        for start in stride(from: 0, to: Self.count, by: 125) {
            try environment.write { transaction in
                for number in start..<start + 125 {
                    let value = [UInt8](repeating: 8, count: Self.valueBytes)
                    try transaction.put(table, [UInt8](key: number), value, append: false)
                    if number.isMultiple(of: 25) { most = max(most, try residentBytes()) }
                }
            }
        }
        #expect(most <= Self.mostResidentBytes)
        #expect(try readAll(expecting: 8) <= Self.mostResidentBytes)
    }

    @Test func `pages are dropped of the new map after it has moved`() throws {
        #expect(try readAll() <= Self.mostResidentBytes)
        let mapBytes = try environment.statistics.mapBytes
        let more = try environment.write { transaction in
            let more = try transaction.createTable("more")
            for number in 0..<Self.count {
                let value = [UInt8](repeating: 9, count: Self.valueBytes)
                try transaction.put(more, [UInt8](key: number), value, append: true)
            }
            return more
        }
        #expect(try environment.statistics.mapBytes > mapBytes)
        #expect(try readAll() <= Self.mostResidentBytes)
        #expect(try environment.value(more, [UInt8](key: 3))?.allSatisfy { $0 == 9 } == true)
    }
}
