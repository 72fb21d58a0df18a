// expect: missing reinitialization of inout parameter
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    try environment.write { transaction in
        var stolen = transaction
        _ = try stolen.delete(table, [1])
    }
}
