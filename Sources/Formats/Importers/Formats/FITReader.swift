import TripEvents

/// Reads the recordings of watches and bicycle computers: FIT files, one or several of them one
/// after the other.
///
/// Source: developer.garmin.com/fit/protocol. A definition says which fields the messages that
/// follow have; each message of type `record` is a record of the input. Positions are written with
/// eight decimals, which distinguish all of FIT's.
///
/// A device that fell asleep writes neither the size nor the checksum: such a file goes on to the
/// end of the input.
struct FITReader: FormatReader {
    /// What the next bytes are.
    private enum Place {
        /// The beginning of a file.
        case header

        /// This many bytes of messages, then the checksum.
        case messages(left: Int)

        /// Messages up to the end of the input.
        case unclosed

        /// Bytes behind a file that are no file.
        case behind

        /// Bytes that cannot be read any more.
        case broken
    }

    /// The error because of which no more can be read, and its place.
    private struct Failure {
        let sentence: String
        let code: RejectionCode
        let offset: Int
    }

    /// What stands in the header of each file, and where.
    private static let magic = Array(".FIT".utf8)
    private static let magicOffset = 8

    private static let shortestHeader = 12
    private static let checksumByteCount = 2

    /// The number of bytes behind the end of a file that tell whether its messages go on there:
    /// those of two messages and what may follow them.
    private var byteCountLooked: Int {
        let longest = definitions.values.map(\.byteCount).max() ?? 0
        return 2 * (1 + longest) + Self.checksumByteCount + Self.shortestHeader
    }

    private let options: ImportOptions
    private var place = Place.header

    /// The bytes that were received, and the position up to which they have been read.
    private var bytes: [UInt8] = []
    private var position = 0

    /// How many bytes of the input have come.
    private var byteCount = 0

    private var failure: Failure?

    /// Whether a file was read to its end.
    private var hasFile = false

    /// How many bytes a message of type `record` has.
    private var recordByteCount: Int?

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
        byteCount += next.count
        switch place {
        case .broken, .behind: return
        case .header, .messages, .unclosed: break
        }
        for index in next.indices { bytes.append(next[index]) }
        readParts(isLast: false, into: &batch)
    }

    mutating func finish(into batch: inout ImportBatch) {
        readParts(isLast: true, into: &batch)
        switch place {
        case .broken, .behind: break
        case .header where bytes.isEmpty: break
        case .header where hasFile: passOver(into: &batch)
        // All of it was read, but for the checksum.
        case .messages(left: 0): break
        case .unclosed where bytes.isEmpty || isChecksum(bytes): break
        case .header, .messages, .unclosed:
            let sentence = "It ends in the middle: what came before that is read."
            fail(sentence, .invalidValue)
        }
        if let failure { reject(failure, into: &batch) }
    }

    /// Reads all complete parts of the bytes that are there.
    private mutating func readParts(isLast: Bool, into batch: inout ImportBatch) {
        while readPart(isLast: isLast, into: &batch) {}
        bytes.removeFirst(position)
        position = 0
    }

    /// Whether the last two bytes of the input are the checksum of those before them.
    private func isChecksum(_ rest: [UInt8]) -> Bool {
        rest.count == Self.checksumByteCount
            && UInt16(rest[0]) | UInt16(rest[1]) << 8 == checksum.value
    }

    /// Names what stands behind the last file.
    private mutating func passOver(into batch: inout ImportBatch) {
        place = .behind
        position = bytes.count
        batch.ignore("behind_the_end", record: record + 1)
    }

    private func reject(_ failure: Failure, into batch: inout ImportBatch) {
        var sentence = failure.sentence
        let lost = byteCount - failure.offset
        if let recordByteCount, lost >= recordByteCount {
            let count = lost / recordByteCount
            let records = count == 1 ? "1 record" : "\(count) records"
            sentence += " About \(records) after byte \(failure.offset) cannot be read."
        } else if lost > 0 {
            let bytes = lost == 1 ? "1 byte" : "\(lost) bytes"
            sentence += " \(bytes) after byte \(failure.offset) cannot be read."
        }
        batch.reject(Rejection(failure.code, sentence: sentence), record: record + 1)
    }

    /// Reads the next part, if all of it is there; returns whether it was.
    private mutating func readPart(isLast: Bool, into batch: inout ImportBatch) -> Bool {
        switch place {
        case .broken, .behind: return false
        case .header: return readHeader(into: &batch)
        case .messages(left: 0): return readChecksum(isLast: isLast, into: &batch)
        case .messages(let left):
            guard let count = messageByteCount() else { return false }
            guard count <= left else {
                fail("A message is longer than the file says.", .invalidValue)
                return false
            }
            guard readMessage(count, into: &batch) else { return false }
            place = .messages(left: left - count)
            return true
        case .unclosed:
            // What could be a message may be the beginning of the next file.
            guard isLast || position + Self.shortestHeader <= bytes.count else { return false }
            guard !isHeader(at: position) else {
                place = .header
                return true
            }
            guard let count = messageByteCount() else { return false }
            return readMessage(count, into: &batch)
        }
    }

    /// Reads a message of so many bytes, if all of them are there; returns whether they were.
    private mutating func readMessage(_ count: Int, into batch: inout ImportBatch) -> Bool {
        guard position + count <= bytes.count else { return false }
        read(position..<position + count, into: &batch)
        consume(count)
        return true
    }

    /// Whether an input begins as a FIT file does.
    static func looksLikeOne(_ head: Span<UInt8>) -> Bool {
        guard head.count >= shortestHeader, head[0] >= shortestHeader else { return false }
        return head.bytes(in: magicOffset..<magicOffset + magic.count) == magic
    }

    /// Whether a file begins at a place of what is there.
    private func isHeader(at start: Int) -> Bool {
        let magic = start + Self.magicOffset
        return bytes.count >= magic + Self.magic.count
            && bytes[magic..<magic + Self.magic.count].elementsEqual(Self.magic)
    }

    private mutating func readHeader(into batch: inout ImportBatch) -> Bool {
        guard position + Self.shortestHeader <= bytes.count else { return false }
        let count = Int(bytes[position])
        guard count >= Self.shortestHeader, isHeader(at: position) else {
            if hasFile {
                passOver(into: &batch)
            } else {
                fail("The file does not begin as FIT files do.", .invalidValue)
            }
            return false
        }
        guard position + count <= bytes.count else { return false }
        let left = FITField(number: 0, byteCount: 4)
            .value(bytes, at: position + 4, isBigEndian: false)
        (checksum, definitions, lastTime, device) = (FITChecksum(), [:], 0, nil)
        consume(count)
        place = left == 0 ? .unclosed : .messages(left: Int(left))
        return true
    }

    private mutating func readChecksum(isLast: Bool, into batch: inout ImportBatch) -> Bool {
        let behind = position + Self.checksumByteCount
        guard behind <= bytes.count else { return false }
        let isRight = isChecksum(Array(bytes[position..<behind]))
        if !isRight, behind < bytes.count {
            // The size in the header may be out of date: then more messages follow.
            let isLooked = isLast || position + byteCountLooked <= bytes.count
            guard isLooked else { return false }
            if !isHeader(at: behind), goesOn(at: position) {
                place = .unclosed
                return true
            }
        } else if !isRight, !isLast {
            return false
        }
        consume(Self.checksumByteCount)
        place = .header
        hasFile = true
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

    private mutating func fail(_ sentence: String, _ code: RejectionCode) {
        place = .broken
        let offset = byteCount - (bytes.count - position)
        failure = Failure(sentence: sentence, code: code, offset: offset)
        position = bytes.count
    }
}

// MARK: - Messages

extension FITReader {
    /// The first byte of a message.
    private struct Head {
        /// The number of the definition.
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

    /// Whether messages go on at a place, and not other bytes that happen to look like one.
    ///
    /// A whole message of known fields has to stand there, with a time near the last one if it has
    /// a time at all; and behind it another one, a definition, the checksum or the end.
    private func goesOn(at place: Int) -> Bool {
        guard let end = endOfMessage(at: place), isNear(at: place) else { return false }
        guard bytes.count - end > Self.checksumByteCount, !isHeader(at: end) else { return true }
        if Head(bytes[end]).isDefinition { return true }
        return endOfMessage(at: end) != nil && isNear(at: end)
    }

    /// Returns where the message of known fields at a place ends; `nil` if none stands there.
    private func endOfMessage(at place: Int) -> Int? {
        let head = Head(bytes[place])
        guard !head.isDefinition, let definition = definitions[head.local] else { return nil }
        let end = place + 1 + definition.byteCount
        return end <= bytes.count ? end : nil
    }

    /// Whether the time of the message at a place, if it has one, is near the last one.
    private func isNear(at place: Int) -> Bool {
        guard let definition = definitions[Head(bytes[place]).local],
            let time = FITMessage(definition, bytes, at: place + 1)[.timestamp], lastTime > 0
        else { return true }
        let last = UInt64(lastTime)
        return (time > last ? time - last : last - time) <= Self.longestPause
    }

    /// The longest pause within a recording, in seconds: a day.
    private static let longestPause: UInt64 = 86_400

    /// Returns how many bytes the next message has; `nil` if too few are there to tell, or it
    /// cannot be read.
    private mutating func messageByteCount() -> Int? {
        guard position < bytes.count else { return nil }
        let head = Head(bytes[position])
        guard head.isDefinition else {
            guard let definition = definitions[head.local] else {
                if case .unclosed = place, bytes.count - position <= Self.checksumByteCount {
                    // It may be the checksum.
                    return nil
                }
                fail("A message comes before its definition.", .invalidValue)
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
            let definition = FITDefinition(bytes[range])
            definitions[head.local] = definition
            if definition.global == FITDefinition.record {
                recordByteCount = 1 + definition.byteCount
            }
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

    /// Returns semicircles in degrees: 2³¹ of them are 180°.
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
