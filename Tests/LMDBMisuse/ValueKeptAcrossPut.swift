// expect: overlapping accesses to 'transaction'
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    try environment.write { transaction in
        guard let value = try transaction.get(table, [1]) else { return }
        try transaction.put(table, [1], [2], append: false)
        print(value.count)
    }
}
