package import RowCoding
public import TripEvents
import TripTracking

/// Folds decisions in event order into the details of a trip: of each field, the last one wins.
struct DetailsFold {
    /// The details so far.
    private(set) var details: TripDetails

    /// The routine that was applied last.
    private(set) var routine: String?

    /// Creates the details of a trip without decisions.
    ///
    /// - Parameter vehicle: the vehicle that the recorder named.
    init(vehicle: String?) {
        details = TripDetails(vehicle: vehicle)
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
    mutating func apply(_ decision: Decision, routine: Routine?) {
        switch decision.event.body {
        case .detailsEdited(let edit): apply(edit)
        case .tripReported(let report): apply(DetailsEdited(setting: report.details))
        case .routineApplied(let application):
            apply(routine ?? Routine(name: application.routine, details: TripDetails()))
        case .goPressed:
            // A press with an unknown routine is a press without one.
            if let routine { apply(routine) }
        default: break
        }
    }

    private mutating func apply(_ routine: Routine) {
        self.routine = routine.name
        apply(DetailsEdited(setting: routine.details))
    }

    private mutating func apply(_ edit: DetailsEdited) {
        Self.apply(edit.title, to: &details.title)
        Self.apply(edit.purpose, to: &details.purpose)
        Self.apply(edit.notes, to: &details.notes)
        Self.apply(edit.category, to: &details.category)
        Self.apply(edit.client, to: &details.client)
        Self.apply(edit.vehicle, to: &details.vehicle)
        Self.apply(edit.tripClass, to: &details.tripClass)
        var fields = details.fields ?? CustomFields()
        for field in edit.fields?.all ?? [] {
            fields[field.key] = field.value == .null ? nil : field.value
        }
        details.fields = fields.all.isEmpty ? nil : fields
    }

    private static func apply<Value>(_ change: DetailChange<Value>, to detail: inout Value?) {
        switch change {
        case .unchanged: break
        case .cleared: detail = nil
        case .set(let value): detail = value
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
            fields: details.fields
        )
    }

    private static func change<Value>(to value: Value?) -> DetailChange<Value> {
        value.map(DetailChange.set) ?? .unchanged
    }
}

extension TripDetails {
    /// Returns the details, with those of others where these say nothing.
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
            fields: fields.all.isEmpty ? nil : fields
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
        writer.write(fields) { writer, fields in
            writer.write(UInt64(fields.all.count))
            for field in fields.all {
                writer.write(field.key)
                Self.write(field.value, to: &writer)
            }
        }
    }

    /// Reads details.
    package init(from reader: inout RowDecoder) throws(RowCodingError) {
        self = try Self.details(from: &reader)
    }

    // A function, for an initialiser of a type of another module would copy what it made.
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
            fields: try reader.readBool() ? try Self.fields(from: &reader) : nil
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
