// expect: has no member 'put'
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    try environment.read { transaction in
        try transaction.put(table, [1], [2], append: false)
    }
}
