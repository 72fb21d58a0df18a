import LMDB
import LedgerTestSupport
import SystemPackage
import Testing

@Suite struct EnvironmentTests {
    let directory = try? TemporaryDirectory()

    @Test func `what was written is read after reopening`() throws {
        let path = FilePath(try #require(directory).path("log"))
        let options = Environment.Options(
            maximumTables: 4,
            initialMapBytes: 1 << 20,
            isReadOnly: false,
            maximumReaders: 126
        )
        try Environment.create(at: path, options: options)
        do {
            let environment = try Environment(at: path, options: options)
            try environment.write { transaction in
                let table = try transaction.createTable("blocks")
                try transaction.put(table, [1, 2], [3, 4, 5], append: false)
            }
        }
        let environment = try Environment(at: path, options: options)
        let table = try environment.openTables(["blocks"])[0]
        let value = try environment.read { transaction in
            if let value = try transaction.get(table, [1, 2]) { value.count } else { 0 }
        }
        #expect(value == 3)
        #expect(try environment.statistics.readersInUse == 0)
    }
}
