package import Proofs
import TripEvents

extension Ledger {
    /// The name under which files about this ledger are kept elsewhere: its id, or the hash of an
    /// id that could lead somewhere else.
    var fileName: String { Self.fileName(ofID: founding.ledger) }

    /// The name under which files about the ledger with some id are kept elsewhere.
    static func fileName(ofID id: String) -> String {
        let isPlain = id.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: false
            }
        }
        return isPlain && id.utf8.count == 32
            ? id : SHA256.digest(Array(id.utf8).span).description
    }

    /// The name that the ledger's key gets by default.
    package var defaultKeyName: KeyName {
        guard let name = KeyName("trip-ledger/\(fileName)") else {
            preconditionFailure("hexadecimal digits make a name")
        }
        return name
    }
}
