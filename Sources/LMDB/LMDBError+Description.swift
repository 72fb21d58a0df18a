import SystemPackage

extension LMDBError: CustomStringConvertible {
    /// Where, what, and what to do, in one line.
    package var description: String {
        let unknown =
            outcomeIsUnknown
            ? "; whether the transaction was stored is unknown: open again and look" : ""
        return "\(path): \(operation): \(code)\(unknown)"
    }
}

extension LMDBError.Code: CustomStringConvertible {
    /// What went wrong, as a clause without its subject's place.
    package var description: String {
        switch self {
        case .keyExists: "the key is taken, or does not follow the last one"
        case .notFound: "no such key or table"
        case .pageNotFound: "a page is missing, the file is damaged"
        case .corrupted: "a page is of the wrong kind, the file is damaged"
        case .panic: "an earlier failure made the open environment unusable; close and open it"
        case .versionMismatch: "the file has another format version"
        case .invalid: "not a file of LMDB"
        case .mapFull: "the map has no room for the transaction"
        case .tablesFull: "too many tables for this environment's options"
        case .readersFull: "all reader slots are taken by live readers; try again later"
        case .threadKeysFull: "no thread key left"
        case .transactionFull: "the transaction changes too many pages; make it smaller"
        case .cursorFull: "the tree is too deep, the file may be damaged"
        case .pageFull: "a page has no room, the file may be damaged"
        case .mapResized: "another process let the file outgrow our map"
        case .incompatible: "the table was made with other flags, or is not a table"
        case .badReaderSlot: "the reader's slot is in use"
        case .badTransaction: "the transaction failed before and can only be aborted"
        case .badValueSize: "a key has no or more than 511 bytes, or a value is too long"
        case .badTable: "the table was dropped or is not open"
        case .system(let number): number.description
        case .other(let status): "unknown status \(status)"
        case .alreadyOpen: "this process has it open already; close that one first"
        case .closed: "the environment is closed"
        case .processIdentifierTaken:
            "a process with our process identifier reads here, probably in another container; "
                + "run one of them with the other's process namespace"
        case .foreignFile: "not a file of LMDB, or its first pages are damaged"
        case .truncated(let fileBytes, let neededBytes):
            "the file is truncated: it has \(fileBytes) of at least \(neededBytes) bytes"
        case .symbolicLink: "is a symbolic link; give the real path"
        case .wrongFileType: "is not of the expected file type"
        case .replaced: "was exchanged for another while it was being opened; open it again"
        case .mapInUse: "a reader on this thread keeps the map from growing; end it first"
        case .lostWrite: "what was written is not in the file; its medium loses writes"
        }
    }
}
