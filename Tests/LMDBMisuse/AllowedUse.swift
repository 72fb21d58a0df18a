// Everything the probes beside this file get wrong, done right. This one must compile.
import LMDB
import SystemPackage

func use(_ environment: Environment) throws -> Int {
    let table = try environment.write { transaction in
        let table = try transaction.createTable("blocks")
        let count = if let value = try transaction.get(table, [1]) { value.count } else { 0 }
        try transaction.put(table, [1], [UInt8(count)], append: false)
        do {
            var cursor = try transaction.cursor(table)
            _ = try cursor.first()
            print(cursor.value.count)
        }
        try transaction.put(table, [2], [2], append: false)
        return table
    }
    return try environment.read { transaction in
        guard let value = try transaction.get(table, [1]) else { return 0 }
        return value.count
    }
}
