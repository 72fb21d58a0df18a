import JSONText
import Platform
import Proofs
import SystemPackage
import TripEvents
import TripLedger

/// The times at which messages without a time first arrived: a file in the ledger's directory.
///
/// A message that is not acknowledged comes again, with the same number. It must then get the same
/// time, so that it is recognised as the same event. So its time is written to the file before the
/// event is stored.
struct RepeatBook {
    /// How many messages are kept: more than a broker leaves without acknowledgement.
    private static let mostKept = 64
    private static let fileName = "mqtt.json"
    private static let mostBytes = 1 << 20

    private var texts: [String] = []
    private let path: FilePath

    /// Reads what is known.
    ///
    /// - Throws: `.inputOutput`.
    init(of ledger: Ledger) throws(LedgerError) {
        let path = ledger.path.appending(Self.fileName)
        self.path = path
        let bytes: [UInt8]? = try LedgerError.translating(at: path) {
            guard try Directory.holds(path) else { return nil }
            return try PrivateFile.read(path, maximumByteCount: Self.mostBytes)
        }
        texts = bytes.flatMap { JSONMembers($0.span)?.texts("messages") } ?? []
    }

    /// Returns when a message came first, and writes it down if that is now.
    ///
    /// - Throws: `.inputOutput`, `.diskFull`.
    mutating func time(
        of message: BrokerMessage,
        now: Timestamp
    ) throws(LedgerError) -> Timestamp {
        let content = Array(message.topic.utf8) + [0] + message.payload
        let digest = SHA256.digest(content.span).description.prefix(32)
        let name = "\(message.number) \(digest) "
        if message.isRepeated, let known = texts.last(where: { $0.hasPrefix(name) }),
            let time = Int64(known.dropFirst(name.count))
        {
            return Timestamp(milliseconds: time)
        }
        texts.append("\(name)\(now.milliseconds)")
        texts.removeFirst(max(0, texts.count - Self.mostKept))
        var bytes = Array(#"{"messages":"#.utf8)
        JSONWriter.append(texts, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        try LedgerError.translating(at: path) { try DurableFile.replace(path, with: bytes) }
        return now
    }
}
