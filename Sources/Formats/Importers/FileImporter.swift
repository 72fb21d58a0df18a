public import TripEvents

/// How a format is read.
public struct ImportOptions: Sendable {
    /// The source of all events; `nil` for what the format says of the device, or else its name.
    public var source: String?

    /// The vehicle that trips were made with, and whose odometer was read, where the format names
    /// none; `nil` if that is not known.
    public var vehicle: String?

    /// The zone of times that name none; `nil` if they are to be rejected.
    public var zone: TimeZoneRules?

    /// Returns the zone that some formats name, as the tz database has it; `nil` if there is none,
    /// or no such one.
    public var zoneNamed: (@Sendable (String) -> TimeZoneRules?)?

    /// The meaning of a table's columns; `nil` if their names tell.
    public var columnMap: ColumnMap?

    /// Set while an app delivers, bit by bit, in a shape that several apps use.
    var delivery: DeliveryOptions?

    /// Creates options.
    public init(
        source: String? = nil,
        vehicle: String? = nil,
        zone: TimeZoneRules? = nil,
        zoneNamed: (@Sendable (String) -> TimeZoneRules?)? = nil
    ) {
        self.source = source
        self.vehicle = vehicle
        self.zone = zone
        self.zoneNamed = zoneNamed
    }
}

/// Makes events of an input in another format, piece by piece, whatever its size.
///
/// It opens no file: bytes come in, and items go out. The same bytes give the same items, however
/// they are cut. A copy of an importer that has begun MUST NOT be used: the two may share a parser.
public struct FileImporter {
    private var reader: any FormatReader

    /// How the text is encoded; `nil` before that can be told, and for formats that are no text.
    private var decoding: TextDecoding?

    /// Set for formats of XML.
    private var repair: XMLRepair?

    /// The first bytes, until they tell the encoding.
    private var head: [UInt8] = []

    private let isText: Bool

    /// Prepares to read an input; `nil` for ``ImportFormat/jsonl``, whose lines are events already.
    public init?(_ format: ImportFormat, options: ImportOptions = ImportOptions()) {
        isText = format != .fit
        if format.isXML { repair = XMLRepair() }
        switch format {
        case .jsonl: return nil
        case .cloudevents: reader = CloudEventsReader(options)
        case .owntracks: reader = OwnTracksReader(options)
        case .overland: reader = ObjectReader(OverlandFormat(options))
        case .traccar: reader = TextOrObjectsReader(TraccarFormat(options), CSVFormat(options))
        case .osmand: reader = TextOrObjectsReader(OsmAndFormat(options), OsmAndQueries(options))
        case .google: reader = ObjectReader(GoogleFormat(options))
        case .gpx: reader = ElementReader(GPXFormat(options))
        case .geojson: reader = ObjectReader(GeoJSONFormat(options))
        case .kml: reader = ElementReader(KMLFormat(options))
        case .tcx: reader = ElementReader(TCXFormat(options))
        case .fit: reader = FITReader(options)
        case .nmea: reader = LineReader(NMEAFormat(options))
        case .mileiq, .everlance: reader = LineReader(ReportedTripsFormat(options))
        case .teslamate:
            reader = LineReader(MappedTableFormat(KnownTables.teslamate, .teslamate, options))
        case .dawarich: reader = ObjectReader(DawarichFormat(options))
        case .driversnote: reader = LineReader(DriversnoteFormat(options))
        case .csv where options.columnMap != nil:
            let maps = options.columnMap.map { [SoughtColumns($0)] } ?? []
            reader = LineReader(MappedTableFormat(maps, .csv, options))
        case .gpsd: reader = LineReader(GPSDFormat(options))
        case .homeassistant: reader = ObjectReader(HomeAssistantFormat(options))
        case .gpslogger, .csv: reader = LineReader(CSVFormat(options))
        }
    }

    /// Reads the next bytes, and adds what ends in them to a batch.
    public mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        guard isText else { return reader.take(bytes, into: &batch) }
        guard decoding == nil else { return read(bytes, into: &batch) }
        for position in bytes.indices { head.append(bytes[position]) }
        if TextDecoding.isEnough(head) { readHead(into: &batch) }
    }

    /// Reads the end of the input, and adds what ends with it to a batch.
    public mutating func finish(into batch: inout ImportBatch) {
        if !head.isEmpty { readHead(into: &batch) }
        if var decoding { decoding.finish { readText($0, into: &batch) } }
        if var repair { repair.finish { reader.take($0, into: &batch) } }
        reader.finish(into: &batch)
    }

    private mutating func readHead(into batch: inout ImportBatch) {
        let bytes = head
        head = []
        decoding = TextDecoding(bytes.span)
        read(bytes.span, into: &batch)
    }

    private mutating func read(_ bytes: Span<UInt8>, into batch: inout ImportBatch) {
        guard var decoding else { return }
        decoding.read(bytes) { readText($0, into: &batch) }
        self.decoding = decoding
    }

    private mutating func readText(_ text: Span<UInt8>, into batch: inout ImportBatch) {
        guard var repair else { return reader.take(text, into: &batch) }
        repair.read(text) { reader.take($0, into: &batch) }
        self.repair = repair
    }
}

/// Reads one format.
protocol FormatReader {
    /// Reads the next bytes: of UTF-8, unless the format tells its encoding.
    mutating func take(_ bytes: Span<UInt8>, into batch: inout ImportBatch)

    /// Reads the end of the input.
    mutating func finish(into batch: inout ImportBatch)
}

/// Reports a change of motion only where the state differs from the last one, because apps repeat
/// the state with each fix.
struct MotionMemory {
    private var states: [NameKey: MotionState] = [:]

    /// What an app that delivers has said before.
    private let heard: [NameKey: HeardMotion]

    init(_ options: ImportOptions) {
        heard = options.delivery?.heard ?? [:]
    }

    /// Adds the event that a source's state of motion has changed, if it has; returns whether it
    /// has.
    @discardableResult
    mutating func note(
        _ state: MotionState,
        _ confidence: MotionConfidence,
        of source: String,
        at time: PreciseTime,
        record: Int,
        into batch: inout ImportBatch
    ) -> Bool {
        let instant = time.time.timestamp
        batch.hear(HeardMotion(state: state, at: instant), of: source)
        guard let last = states.updateValue(state, forKey: NameKey(source)) else {
            if heard[NameKey(source)]?.goesOn(as: state, at: instant) == true { return false }
            add(state, confidence, of: source, at: time, record: record, into: &batch)
            return true
        }
        guard last != state else { return false }
        add(state, confidence, of: source, at: time, record: record, into: &batch)
        return true
    }

    private func add(
        _ state: MotionState,
        _ confidence: MotionConfidence,
        of source: String,
        at time: PreciseTime,
        record: Int,
        into batch: inout ImportBatch
    ) {
        var draft = batch.begin(.motionChanged, of: source, at: time)
        batch.add("state", text: state.rawValue, to: &draft)
        batch.add("confidence", text: confidence.rawValue, to: &draft)
        batch.end(draft, record: record)
    }

    /// Returns the state for the words of a phone; driving wins over others: a phone in a mount
    /// says `driving` and `stationary` at once.
    static func state(of words: [String]) -> MotionState? {
        let states = words.compactMap { state(of: $0) }
        let order: [MotionState] = [.automotive, .cycling, .running, .walking, .stationary]
        return order.first { states.contains($0) }
    }

    private static func state(of word: String) -> MotionState? {
        switch word.lowercased() {
        case "automotive", "driving", "in_vehicle", "in_road_vehicle", "in_car": .automotive
        case "cycling", "on_bicycle": .cycling
        case "running": .running
        case "walking", "on_foot": .walking
        case "stationary", "still": .stationary
        default: nil
        }
    }
}
