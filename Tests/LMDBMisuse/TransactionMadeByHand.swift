// expect: inaccessible due to 'internal' protection level
import LMDB

func misuse(_ environment: Environment) throws {
    _ = try ReadTransaction(in: environment)
}
