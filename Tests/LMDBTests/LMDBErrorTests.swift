import LMDB
import SystemPackage
import Testing

@Suite struct LMDBErrorTests {
    @Test func `a message says where, what and why`() {
        let error = LMDBError(code: .mapFull, operation: "mdb_put", path: "ledger/log")
        #expect(
            error.description
                == "ledger/log: mdb_put: the map has no room for the transaction"
        )
    }

    @Test func `after a failed commit the outcome is unknown, and the message says so`() {
        let failed = LMDBError(
            code: .system(.ioError),
            operation: "mdb_txn_commit",
            path: "ledger/log"
        )
        #expect(failed.outcomeIsUnknown)
        #expect(failed.description.contains("unknown"))
        let full = LMDBError(code: .mapFull, operation: "mdb_txn_commit", path: "ledger/log")
        #expect(!full.outcomeIsUnknown)
        let put = LMDBError(code: .system(.ioError), operation: "mdb_put", path: "ledger/log")
        #expect(!put.outcomeIsUnknown)
    }
}
