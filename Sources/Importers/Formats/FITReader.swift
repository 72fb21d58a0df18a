import TripEvents

/// Reads the recordings of watches and bicycle computers: FIT files, one or several of them one
/// after the other.
///
/// Source: developer.garmin.com/fit/protocol. A definition says which fields the messages that
/// follow have; of the messages of type `record` each is a record of the input. Positions are
/// written with eight decimals, which tell all of FIT's apart.
struct FITReader: FormatReader {
    /// What the next bytes are.
    private enum Place {
        /// The beginning of a file.
        case header

        /// So many bytes of messages, then the checksum.
        case messages(left: Int)

        /// What cannot be read any more.
        case broken
    }

    /// What stands in the header of each file, and where.
    private static let magic = Array(".FIT".utf8)
    private static let magicOffset = 8

    private static let shortestHeader = 12
    private static let checksumByteCount = 2

    private let options: ImportOptions
    private var place = Place.header

    /// The bytes that are still to be read, and how many of them have been.
    private var bytes: [UInt8] = []
    private var position = 0

    private var checksum = FITChecksum()
    private var definitions: [UInt8: FITDefinition] = [:]

    /// The device, as the file's first message names it.
    private var device: UInt64?

    /// The last timestamp, from which short ones count on.
    private var lastTime: UInt32 = 0

    private var record = 0

    init(_ options: ImportOptions) {
        self.options = options
    }

    mutating func take(_ next: Span<UInt8>, into batch: inout ImportBatch) {
        if case .broken = place { return }
        for index in next.indices { bytes.append(next[index]) }
        while readPart(into: &batch) {}
        bytes.removeFirst(position)
        position = 0
    }

    mutating func finish(into batch: inout ImportBatch) {
        switch place {
        case .broken: break
        case .header where bytes.isEmpty: break
        case .header, .messages: fail("The file ends in the middle.", .invalidValue, into: &batch)
        }
    }

    /// Reads the next part, if all of it is there; returns whether it was.
    private mutating func readPart(into batch: inout ImportBatch) -> Bool {
        switch place {
        case .broken: return false
        case .header: return readHeader(into: &batch)
        case .messages(left: 0): return readChecksum(into: &batch)
        case .messages(let left):
            guard let count = messageByteCount(into: &batch) else { return false }
            guard count <= left else {
                fail("A message is longer than the file says.", .invalidValue, into: &batch)
                return false
            }
            guard position + count <= bytes.count else { return false }
            read(position..<position + count, into: &batch)
            consume(count)
            place = .messages(left: left - count)
            return true
        }
    }

    /// Whether an input begins as a FIT file does.
    static func looksLikeOne(_ head: Span<UInt8>) -> Bool {
        guard head.count >= shortestHeader, head[0] >= shortestHeader else { return false }
        return head.bytes(in: magicOffset..<magicOffset + magic.count) == magic
    }

    private mutating func readHeader(into batch: inout ImportBatch) -> Bool {
        guard position < bytes.count else { return false }
        let count = Int(bytes[position])
        guard count >= Self.shortestHeader else {
            fail("The file does not begin as FIT files do.", .invalidValue, into: &batch)
            return false
        }
        guard position + count <= bytes.count else { return false }
        let magic = position + Self.magicOffset
        guard bytes[magic..<magic + Self.magic.count].elementsEqual(Self.magic) else {
            fail("The file does not begin as FIT files do.", .invalidValue, into: &batch)
            return false
        }
        let left = FITField(number: 0, byteCount: 4)
            .value(bytes, at: position + 4, isBigEndian: false)
        (checksum, definitions, lastTime, device) = (FITChecksum(), [:], 0, nil)
        consume(count)
        place = .messages(left: Int(left))
        return true
    }

    private mutating func readChecksum(into batch: inout ImportBatch) -> Bool {
        guard position + Self.checksumByteCount <= bytes.count else { return false }
        let written = UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
        let isRight = written == checksum.value
        consume(Self.checksumByteCount)
        place = .header
        guard !isRight else { return true }
        record += 1
        let sentence = "The checksum of the file is not that of its bytes: some were changed."
        batch.reject(Rejection(.invalidChecksum, sentence: sentence), record: record)
        return true
    }

    private mutating func consume(_ count: Int) {
        for index in position..<position + count { checksum.add(bytes[index]) }
        position += count
    }

    private mutating func fail(
        _ sentence: String,
        _ code: RejectionCode,
        into batch: inout ImportBatch
    ) {
        place = .broken
        batch.reject(Rejection(code, sentence: sentence), record: record + 1)
    }
}

// MARK: - Messages

extension FITReader {
    /// What the first byte of a message says.
    private struct Head {
        /// By which number the definition goes.
        let local: UInt8

        /// Whether it is a definition.
        let isDefinition: Bool

        /// Whether a definition has fields of the app's own too.
        let hasDeveloperFields: Bool

        /// The low bits of the timestamp, if they stand here.
        let shortTime: UInt8?

        init(_ byte: UInt8) {
            let isShort = byte & 0x80 != 0
            local = isShort ? byte >> 5 & 0x03 : byte & 0x0F
            isDefinition = !isShort && byte & 0x40 != 0
            hasDeveloperFields = isDefinition && byte & 0x20 != 0
            shortTime = isShort ? byte & 0x1F : nil
        }
    }

    /// Returns how many bytes the next message has; `nil` if too few are there to tell, or it
    /// cannot be read.
    private mutating func messageByteCount(into batch: inout ImportBatch) -> Int? {
        guard position < bytes.count else { return nil }
        let head = Head(bytes[position])
        guard head.isDefinition else {
            guard let definition = definitions[head.local] else {
                fail("A message comes before its definition.", .invalidValue, into: &batch)
                return nil
            }
            return 1 + definition.byteCount
        }
        return FITDefinition.byteCount(
            bytes,
            at: position,
            hasDeveloperFields: head.hasDeveloperFields
        )
    }

    private mutating func read(_ range: Range<Int>, into batch: inout ImportBatch) {
        let head = Head(bytes[range.lowerBound])
        guard !head.isDefinition else {
            definitions[head.local] = FITDefinition(bytes[range])
            return
        }
        guard let definition = definitions[head.local] else { return }
        let message = FITMessage(definition, bytes, at: range.lowerBound + 1)
        let time =
            message[.timestamp].map { UInt32(truncatingIfNeeded: $0) }
            ?? head.shortTime.map { FITReader.time($0, after: lastTime) }
        if let time { lastTime = time }
        switch definition.global {
        case FITDefinition.fileID: device = message[.serialNumber].flatMap { $0 == 0 ? nil : $0 }
        case FITDefinition.record:
            record += 1
            do throws(Rejection) {
                try readRecord(message, at: time, into: &batch)
            } catch {
                batch.reject(error, record: record)
            }
        default: break
        }
    }

    /// Returns the time whose low five bits are given, at or after another one.
    private static func time(_ lowBits: UInt8, after last: UInt32) -> UInt32 {
        let low = UInt32(lowBits)
        let time = last & ~0x1F | low
        return low < last & 0x1F ? time &+ 0x20 : time
    }

    private func readRecord(
        _ message: FITMessage,
        at seconds: UInt32?,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let latitude = message.signed(.latitude),
            let longitude = message.signed(.longitude)
        else { return batch.ignore("no_position", record: record) }
        guard let seconds else { throw .missingField("timestamp") }
        guard seconds >= Self.leastTime else {
            throw Rejection(
                .invalidTime,
                field: "timestamp",
                sentence: "timestamp is \(seconds) s since the device was switched on, which is "
                    + "no time."
            )
        }
        let milliseconds = (Int64(seconds) + Self.epoch) * 1_000
        let time = PreciseTime(EventTime(Timestamp(milliseconds: milliseconds)))
        let source = device.map { "fit/\($0)" } ?? "fit"
        var fix = batch.begin(.fixRecorded, of: options.source ?? source, at: time)
        batch.add("lat", Self.degrees(latitude), to: &fix)
        batch.add("lon", Self.degrees(longitude), to: &fix)
        if let meters = message[.accuracy] { add("accuracy", Int64(meters), 0, to: &fix) }
        if let fifths = message[.enhancedAltitude] ?? message[.altitude] {
            // Fifths of a metre above −500 m.
            add("altitude", Int64(fifths) * 2 - 5_000, 1, to: &fix)
        }
        if let speed = message[.enhancedSpeed] ?? message[.speed] {
            add("speed", Int64(speed), 3, to: &fix)
        }
        batch.end(fix, record: record)

        func add(
            _ name: String,
            _ number: Int64,
            _ decimals: Int,
            to draft: inout ImportBatch.Draft
        ) {
            let value = ScaledDecimal(
                magnitude: number.magnitude,
                decimals: decimals,
                isNegative: number < 0
            )
            if let value { batch.add(name, value, to: &draft) }
        }
    }

    /// Seconds from 1970 to 1989-12-31T00:00:00Z, from which FIT counts.
    private static let epoch: Int64 = 631_065_600

    /// Smaller timestamps count from when the device was switched on.
    private static let leastTime: UInt32 = 0x1000_0000

    /// Returns semicircles, of which 2³¹ are 180°, in degrees.
    private static func degrees(_ semicircles: Int64) -> ScaledDecimal {
        let units = Int128(semicircles.magnitude) * 180 * 100_000_000
        let rounded = (units + 1 << 30) >> 31
        return ScaledDecimal(
            magnitude: UInt64(rounded),
            decimals: 8,
            isNegative: semicircles < 0
        ) ?? .zero
    }
}
