// expect: 'transaction' is borrowed and cannot be consumed
import LMDB

func misuse(_ environment: Environment, _ table: Table) throws {
    try environment.read { transaction in
        let copy = transaction
        print(try copy.entryCount(table))
    }
}
