import EventStore
import LedgerKeeping
import Proofs
public import Testing
import TripEvents
public import TripLedger

/// Expects that a ledger is sound: positions are dense, stored hashes and indexes are right, the
/// root is that of RFC 6962 over the entries, and the views, if there are any, are those that the
/// log gives.
///
/// - Parameters:
///   - ledger: The ledger, open and at rest.
///   - comment: The history of the ledger, such as a seed.
///   - sourceLocation: The call.
/// - Throws: The errors of reading the ledger.
public func expectSound(
    _ ledger: Ledger,
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let findings = try ledger.log.findings(
        registration: registration,
        erasure: { ErasureRecord($0) }
    )
    #expect(findings == [], comment, sourceLocation: sourceLocation)
    var leaves: [Digest] = []
    var recordedAt: [Int64] = []
    var firstPositions: [UInt64: Int] = [:]
    try ledger.log.scan(from: 0) { block in
        firstPositions[block.firstPosition] = leaves.count
        var entries = block.entries
        while let entry = try entries.next() {
            recordedAt.append(entry.recordedAt)
            leaves.append(entry.leafHash)
        }
        return true
    }
    let isDense = firstPositions.allSatisfy { $0.key == $0.value }
    #expect(isDense, comment, sourceLocation: sourceLocation)
    #expect(recordedAt == recordedAt.sorted(), comment, sourceLocation: sourceLocation)
    let root = treeHash(of: leaves[...]).description
    let expected = LedgerHead(size: UInt64(leaves.count), root: root)
    #expect(try ledger.head() == expected, comment, sourceLocation: sourceLocation)
    switch Result(catching: { () throws(LedgerError) in try ledger.checkViews() }) {
    case .success(let differences):
        #expect(differences == [], comment, sourceLocation: sourceLocation)
    case .failure(let error):
        // There are no views, which is how every ledger begins.
        #expect(error.code == .notFound, comment, sourceLocation: sourceLocation)
    }
}

/// Returns the event with which a ledger gives a source its number, as the catalogue writes it.
private func registration(number: UInt32, of source: RegisteredSource) -> EntryContent {
    let registered = SourceRegistered(number: number, name: source.name, group: source.group)
    let body = EventBody.sourceRegistered(registered)
    let event = TripEvent(source: "", occurredAt: Timestamp(milliseconds: 0), body: body).encoded
    return EntryContent(kind: event.kind, form: event.form.rawValue, payload: event.payload)
}

/// Returns the tree hash of a list of leaf hashes as RFC 6962 §2.1 defines it: by splitting the
/// list, not by growing a frontier as the log does.
private func treeHash(of leaves: ArraySlice<Digest>) -> Digest {
    guard let first = leaves.first else { return SHA256.digest([UInt8]().span) }
    guard leaves.count > 1 else { return first }
    var width = 1
    while width * 2 < leaves.count { width *= 2 }
    return SHA256.node(treeHash(of: leaves.prefix(width)), treeHash(of: leaves.dropFirst(width)))
}
