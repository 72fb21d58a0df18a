import TripEvents

/// A message of OwnTracks.
///
/// A region that the phone watches (`waypoint`) is a place. A message that a region was entered or
/// left (`transition`) is not a place, because it does not say where the region is. It is not a fix
/// either: it repeats a position that is there already, or one that is too coarse for a fix.
struct OwnTracksMessage {
    private static let name = "OwnTracks"

    private let options: ImportOptions
    private var object = JSONRecord()
    private var inner = JSONRecord()
    private var motion: MotionMemory
    private var odometers: OdometerMemory

    /// When the message was received, if that was noted beside it.
    var receivedAt: Timestamp?

    init(_ options: ImportOptions) {
        self.options = options
        motion = MotionMemory(options)
        odometers = OdometerMemory(options)
    }

    /// Reads a message.
    mutating func read(_ text: Span<UInt8>, record: Int, into batch: inout ImportBatch) {
        do throws(Rejection) {
            try object.read(text)
        } catch {
            guard error.isAboutJSON, let mended = JSONRepair.repaired(text) else {
                return batch.reject(error, record: record, text, text.indices)
            }
            return read(mended.span, record: record, into: &batch)
        }
        do throws(Rejection) {
            guard object.text("_type", text) == "encrypted" else {
                // Other apps that speak this protocol have a device and no topic, and speeds in
                // metres per second: nothing tells the unit of this message's speeds.
                let tellsUnit =
                    options.delivery == nil || object.value("tid", text) == nil
                    || object.value("topic", text) != nil
                return try readPlain(text, tellsUnit: tellsUnit, record: record, into: &batch)
            }
            let opened = try open(text)
            try object.read(opened.span)
            guard object.text("_type", opened.span) != "encrypted" else {
                // No key opens it a second time, so it waits for none.
                throw Rejection(
                    .invalidValue,
                    field: "data",
                    sentence: "The message is encrypted twice, so it cannot be read."
                )
            }
            // Only OwnTracks itself encrypts.
            try readPlain(opened.span, tellsUnit: true, record: record, into: &batch)
        } catch {
            batch.reject(error, record: record, text, text.indices)
        }
    }

    private mutating func readPlain(
        _ text: Span<UInt8>,
        tellsUnit: Bool,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        // Exports leave the type out: all that they hold are locations.
        switch object.text("_type", text) ?? "location" {
        case "location":
            try readLocation(text, tellsUnit: tellsUnit, record: record, into: &batch)
        case "waypoint": try readRegion(object, text, record: record, into: &batch)
        case "waypoints": try readRegions(text, record: record, into: &batch)
        case let type: batch.ignore(type, record: record)
        }
    }

    /// Returns the message in an encrypted one.
    private func open(_ text: Span<UInt8>) throws(Rejection) -> [UInt8] {
        guard let open = options.delivery?.open else {
            let sentence = "The message is encrypted; only the phone's own key opens it."
            throw Rejection(.encrypted, sentence: sentence)
        }
        guard let opened = object.text("data", text).flatMap(open) else {
            throw Rejection(
                .encrypted,
                sentence: "The message is encrypted, and not with the key that is known."
            )
        }
        return opened
    }

    private mutating func readLocation(
        _ text: Span<UInt8>,
        tellsUnit: Bool,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let seconds = object.decimal("tst", text) else { throw .missingField("tst") }
        let time = try moment(of: seconds, text)
        let source = options.source ?? source(text)
        let activities = object.texts("motionactivities", text)
        if let state = MotionMemory.state(of: activities) ?? ignition(text) {
            motion.note(state, .medium, of: source, at: time, record: record, into: &batch)
        }
        // Queclink's trackers count kilometres.
        odometers.note(
            object.decimal("odometer", text),
            thousands: 0,
            vehicle: object.text("vin", text),
            of: source,
            at: time,
            record: record,
            into: &batch
        )
        var fix = batch.begin(.fixRecorded, of: source, at: time)
        batch.add("lat", required: object.number("lat", text), of: text, to: &fix)
        batch.add("lon", required: object.number("lon", text), of: text, to: &fix)
        batch.add("accuracy", known: object.reading("acc", text), of: text, to: &fix)
        batch.add("altitude", optional: object.reading("alt", text), of: text, to: &fix)
        if tellsUnit {
            let speed = object.reading("vel", text)
            batch.add(speed: speed, of: text, in: .kilometersPerHour, to: &fix)
        }
        batch.add("course", known: object.reading("cog", text), of: text, to: &fix)
        batch.end(fix, record: record)
    }

    /// Returns the time of a fix.
    ///
    /// Overland counts the seconds from 2001 when it speaks OwnTracks' protocol. The time at which
    /// a message was received or made shows that; without it, a time before OwnTracks existed is
    /// refused.
    private func moment(
        of seconds: ScaledDecimal,
        _ text: Span<UInt8>
    ) throws(Rejection) -> PreciseTime {
        let time = try TimeText.seconds(seconds, in: "tst")
        let written = time.time.timestamp.milliseconds
        guard written < Self.firstMilliseconds, written > 0 else { return time }
        let created = object.decimal("created_at", text)
            .flatMap { try? TimeText.seconds($0, in: "created_at").time.timestamp }
        let moved = written + Self.millisecondsTo2001
        guard let moment = (receivedAt ?? created)?.milliseconds,
            abs(moment - moved) <= Timestamp.millisecondsPerDay
        else {
            throw Rejection(
                .invalidTime,
                field: "tst",
                sentence: "tst is before there was OwnTracks, and nothing says that it counts the "
                    + "seconds from 2001."
            )
        }
        return PreciseTime(EventTime(Timestamp(milliseconds: moved)), nanoseconds: time.nanoseconds)
    }

    /// 2010-01-01.
    private static let firstMilliseconds: Int64 = 1_262_304_000_000

    /// From 1970 to 2001.
    private static let millisecondsTo2001: Int64 = 978_307_200_000

    /// Returns what the ignition says of the motion of the vehicle that a tracker is built into.
    private func ignition(_ text: Span<UInt8>) -> MotionState? {
        let isOn =
            object.boolean("ign", text)
            ?? object.decimal("ign", text)?.units(places: 0).map { $0 != 0 }
        return isOn.map { $0 ? .automotive : .stationary }
    }

    /// Reads all regions that the phone watches.
    private mutating func readRegions(
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        let regions = object.elements("waypoints", text).filter { $0.kind == .object }
        if regions.isEmpty { batch.ignore("waypoints", record: record) }
        for region in regions {
            try inner.read(text, region)
            try readRegion(inner, text, record: record, into: &batch)
        }
    }

    /// Makes a place of a region; ignores a beacon, and a circle that follows the phone.
    private func readRegion(
        _ region: JSONRecord,
        _ text: Span<UInt8>,
        record: Int,
        into batch: inout ImportBatch
    ) throws(Rejection) {
        guard let name = region.text("desc", text), !name.isEmpty, !name.hasPrefix("+"),
            let radius = region.decimal("rad", text), radius.significand > 0,
            let latitude = region.number("lat", text), let longitude = region.number("lon", text)
        else { return batch.ignore("waypoint", record: record) }
        guard let seconds = region.decimal("tst", text) else { throw .missingField("tst") }
        let time = try TimeText.seconds(seconds, in: "tst")
        var place = batch.begin(.placeSaved, of: options.source ?? source(text), at: time)
        batch.add("place", text: name, to: &place)
        batch.add("lat", number: text, latitude, to: &place)
        batch.add("lon", number: text, longitude, to: &place)
        batch.add("radius_m", radius, to: &place)
        batch.add("imported_from", text: Self.name, to: &place)
        batch.end(place, record: record)
    }

    /// The device, as its topic names it, or else its two letters.
    private func source(_ text: Span<UInt8>) -> String {
        if let topic = object.text("topic", text), !topic.isEmpty { return topic }
        guard let letters = object.text("tid", text), !letters.isEmpty else { return "owntracks" }
        return "owntracks/\(letters)"
    }
}
