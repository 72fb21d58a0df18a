// expect: Escapable
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    var cursor = try environment.read { transaction -> Cursor in
        try transaction.cursor(table)
    }
    _ = try cursor.next()
}
