// expect: Escapable
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    let value = try environment.read { transaction -> Span<UInt8>? in
        try transaction.get(table, [1])
    }
    print(value?.count ?? 0)
}
