// expect: cannot pass function of type
import LMDB

func misuse(_ environment: Environment, _ table: Table) async throws {
    try environment.write { transaction in
        await Task.yield()
        _ = try transaction.delete(table, [1])
    }
}
