// expect: escapes its scope
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    var saved = Span<UInt8>()
    try environment.read { transaction in
        if let value = try transaction.get(table, [1]) { saved = value }
    }
    print(saved.count)
}
