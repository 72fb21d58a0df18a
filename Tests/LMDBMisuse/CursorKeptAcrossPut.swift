// expect: overlapping accesses to 'transaction'
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    try environment.write { transaction in
        var cursor = try transaction.cursor(table)
        while try cursor.next() {
            try transaction.delete(table, cursor.key)
        }
    }
}
