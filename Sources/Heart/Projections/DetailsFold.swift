package import RowCoding
public import TripEvents
import TripTracking

/// Folds decisions in event order into the details of a trip: of each field, the last one wins.
struct DetailsFold {
    /// What a decision made of a custom field.
    struct FieldStep {
        let key: [UInt8]
        let old: CustomFields.Field?
        let new: CustomFields.Field?
    }

    /// The details so far, but for custom fields.
    private(set) var plain: TripDetails

    /// The custom fields so far, by the bytes of their keys.
    private(set) var fields: [[UInt8]: CustomFields.Field] = [:]

    /// The routine that was applied last.
    private(set) var routine: String?

    /// Whether that routine applies by itself, and was applied by no person.
    private(set) var isRoutineByRule = false

    /// Whether a statement was later changed or taken back.
    private(set) var isRevised = false

    /// What people said of the ends of each part so far.
    private var partEnds: [SaidEnds]

    /// The parts whose figures it shows, in order of their starts.
    private let parts: [TripID]

    /// Creates the details of a trip without decisions.
    ///
    /// - Parameters:
    ///   - pressed: The vehicle and the driver that the recorder named.
    ///   - parts: The trips whose figures it shows, in order of their starts, with what reports of
    ///     them say of their ends.
    init(
        _ pressed: TripDetails = TripDetails(),
        of parts: [(trip: TripID, ends: SaidEnds)]
    ) {
        plain = pressed
        self.parts = parts.map(\.trip)
        partEnds = parts.map(\.ends)
    }

    /// What people said of the ends of the trip.
    var ends: SaidEnds { partEnds.first ?? SaidEnds() }

    /// The details so far.
    var details: TripDetails {
        var details = plain
        if !fields.isEmpty { details.fields = CustomFields(Array(fields.values)) }
        return details
    }

    /// Applies a routine that applies by itself: what people say comes after it.
    mutating func apply(_ application: RoutineRules.Application) {
        _ = apply(application.routine)
        isRoutineByRule = true
    }

    /// Takes note of a merge: from now on the trip ends where its last part does.
    mutating func endWithLastPart() {
        guard let last = partEnds.last else { return }
        partEnds[0].destination = last.destination
        partEnds[0].destinationAddress = last.destinationAddress
    }

    /// Whether decisions of a kind change details.
    static func concerns(_ decision: Decision) -> Bool {
        switch decision.event.body {
        case .goPressed, .detailsEdited, .routineApplied, .tripReported: true
        default: false
        }
    }

    /// Applies a decision.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - routine: the applied routine as it was then, if the decision applies one that was there.
    /// - Returns: what becomes of custom fields, in order of their keys.
    @discardableResult
    mutating func apply(_ decision: Decision, routine: Routine?) -> [FieldStep] {
        switch decision.event.body {
        case .detailsEdited(let edit): return apply(edit)
        case .tripReported(let report): return apply(DetailsEdited(setting: report.details))
        case .routineApplied(let application):
            return apply(routine ?? Routine(name: application.routine, details: TripDetails()))
        case .goPressed:
            // A press with an unknown routine is a press without one.
            return routine.map { apply($0) } ?? []
        default: return []
        }
    }

    private mutating func apply(_ routine: Routine) -> [FieldStep] {
        self.routine = routine.name
        isRoutineByRule = false
        return apply(DetailsEdited(setting: routine.details))
    }

    private mutating func apply(_ edit: DetailsEdited) -> [FieldStep] {
        apply(edit.title, to: \.title)
        apply(edit.purpose, to: \.purpose)
        apply(edit.notes, to: \.notes)
        apply(edit.category, to: \.category)
        apply(edit.client, to: \.client)
        apply(edit.vehicle, to: \.vehicle)
        apply(edit.tripClass, to: \.tripClass)
        apply(edit.mode, to: \.mode)
        apply(edit.driver, to: \.driver)
        // A decision about a trip that has gone is about the whole.
        let part = parts.firstIndex(of: edit.trip) ?? 0
        if partEnds.indices.contains(part) {
            if partEnds[part].apply(edit) { isRevised = true }
        }
        return (edit.fields?.all ?? [])
            .map { field in
                let key = Array(field.key.utf8)
                let new = field.value == .null ? nil : field
                let old = fields[key]
                fields[key] = new
                if let old, old != new { isRevised = true }
                return FieldStep(key: key, old: old, new: new)
            }
    }

    private mutating func apply<Value>(
        _ change: DetailChange<Value>,
        to detail: WritableKeyPath<TripDetails, Value?>
    ) {
        guard change != .unchanged else { return }
        let new = change.applied(to: plain[keyPath: detail])
        if let old = plain[keyPath: detail], old != new { isRevised = true }
        plain[keyPath: detail] = new
    }
}

/// What people said of where a trip started and ended, in words.
struct SaidEnds: Hashable {
    /// Where it started.
    var origin: String?

    /// Where it ended.
    var destination: String?

    /// The address where it started.
    var originAddress: String?

    /// The address where it ended.
    var destinationAddress: String?

    /// Applies an edit; returns whether it changes an earlier statement.
    fileprivate mutating func apply(_ edit: DetailsEdited) -> Bool {
        let before = self
        origin = edit.origin.applied(to: origin)
        destination = edit.destination.applied(to: destination)
        originAddress = edit.originAddress.applied(to: originAddress)
        destinationAddress = edit.destinationAddress.applied(to: destinationAddress)
        return before.changes(to: self).contains { $0.old != nil }
    }

    /// Returns what differs in `new`, by the names in events.
    func changes(to new: SaidEnds) -> [FieldChange] {
        [
            ("from", origin, new.origin), ("to", destination, new.destination),
            ("from_address", originAddress, new.originAddress),
            ("to_address", destinationAddress, new.destinationAddress),
        ]
        .compactMap { name, old, new in
            FieldChange(
                ifOther: name,
                old: old.map(CustomValue.text),
                new: new.map(CustomValue.text)
            )
        }
    }
}

extension DetailChange {
    /// Returns what a detail is after the change.
    package func applied(to old: Value?) -> Value? {
        switch self {
        case .unchanged: old
        case .cleared: nil
        case .set(let value): value
        }
    }
}

extension DetailsEdited {
    /// Creates the edit that sets what details say and leaves the rest as it is.
    init(setting details: TripDetails) {
        self.init(
            trip: TripID(high: 0, low: 0),
            title: Self.change(to: details.title),
            purpose: Self.change(to: details.purpose),
            notes: Self.change(to: details.notes),
            category: Self.change(to: details.category),
            client: Self.change(to: details.client),
            vehicle: Self.change(to: details.vehicle),
            tripClass: Self.change(to: details.tripClass),
            mode: Self.change(to: details.mode),
            fields: details.fields,
            driver: Self.change(to: details.driver)
        )
    }

    private static func change<Value>(to value: Value?) -> DetailChange<Value> {
        value.map(DetailChange.set) ?? .unchanged
    }
}

extension TripDetails {
    /// Returns these details, filled in from others where these say nothing.
    public func over(_ others: TripDetails) -> TripDetails {
        var fields = others.fields ?? CustomFields()
        for field in self.fields?.all ?? [] { fields[field.key] = field.value }
        return TripDetails(
            title: title ?? others.title,
            purpose: purpose ?? others.purpose,
            notes: notes ?? others.notes,
            category: category ?? others.category,
            client: client ?? others.client,
            vehicle: vehicle ?? others.vehicle,
            tripClass: tripClass ?? others.tripClass,
            mode: mode ?? others.mode,
            fields: fields.all.isEmpty ? nil : fields,
            driver: driver ?? others.driver
        )
    }

    private static let textTag: UInt64 = 0
    private static let numberTag: UInt64 = 1
    private static let booleanTag: UInt64 = 2
    private static let nullTag: UInt64 = 3

    /// Writes the details, member by member in order of declaration.
    package func write(to writer: inout RowEncoder) {
        for text in [title, purpose, notes, category, client, vehicle] {
            writer.write(text) { $0.write($1) }
        }
        writer.write(tripClass) { $0.write($1) }
        writer.write(mode) { $0.write($1) }
        writer.write(fields) { writer, fields in
            writer.write(UInt64(fields.all.count))
            for field in fields.all {
                writer.write(field.key)
                Self.write(field.value, to: &writer)
            }
        }
        writer.write(driver) { $0.write($1) }
    }

    /// Reads details.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        self = try Self.details(from: &reader)
    }

    // A function, because an initialiser of another module's type would copy what it made.
    private static func details(from reader: inout RowDecoder) throws(RowCodingError) -> TripDetails
    {
        TripDetails(
            title: try reader.readOptionalText(),
            purpose: try reader.readOptionalText(),
            notes: try reader.readOptionalText(),
            category: try reader.readOptionalText(),
            client: try reader.readOptionalText(),
            vehicle: try reader.readOptionalText(),
            tripClass: try reader.readBool() ? try reader.readTripClass() : nil,
            mode: try reader.readBool() ? try reader.readTravelMode() : nil,
            fields: try reader.readBool() ? try Self.fields(from: &reader) : nil,
            driver: try reader.readOptionalText()
        )
    }

    private static func fields(from reader: inout RowDecoder) throws(RowCodingError) -> CustomFields
    {
        var fields = CustomFields()
        for _ in 0..<(try reader.readAmount()) {
            let key = try reader.readText()
            fields[key] = try value(from: &reader)
        }
        return fields
    }

    private static func write(_ value: CustomValue, to writer: inout RowEncoder) {
        switch value {
        case .text(let text):
            writer.write(textTag)
            writer.write(text)
        case .number(let number):
            writer.write(numberTag)
            writer.write(number.description)
        case .boolean(let boolean):
            writer.write(booleanTag)
            writer.write(boolean)
        case .null: writer.write(nullTag)
        }
    }

    private static func value(from reader: inout RowDecoder) throws(RowCodingError) -> CustomValue {
        switch try reader.readUInt64() {
        case textTag: return .text(try reader.readText())
        case numberTag:
            guard let number = ExactDecimal(literal: try reader.readText()) else {
                throw .invalidValue
            }
            return .number(number)
        case booleanTag: return .boolean(try reader.readBool())
        case nullTag: return .null
        default: throw .invalidValue
        }
    }
}
