// expect: escapes its scope
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    var saved = Span<UInt8>()
    try environment.scan(table, from: []) { _, value in
        saved = value
        return true
    }
    print(saved.count)
}
