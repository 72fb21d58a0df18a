import JSONText
import TripEvents
import TripLedger

/// The properties of an event, as the feed client has them: what its trip says about itself, how
/// far it went, custom fields, and the rest, which is kept as it is.
///
/// A property that a person sets is a custom field; as everywhere, `Ledger.decide` refuses it if
/// there is no such field or if the field does not take the value. Properties that the app sets by
/// itself are kept: see ``Kept``.
struct ClientProperties: Sendable {
    /// The properties that are kept although the ledger has no place for them.
    enum Kept: Sendable {
        /// All of them: the app made the event by itself, as it does where a geofence is entered or
        /// a workout has ended, and gave it properties that are not defined, such as "Entered At".
        /// A refusal would lose the trip, and no person would see it.
        case all

        /// Those that are kept with the event already, and have not changed.
        case unchanged(ClientObject)

        /// Decides by the source of the event that the client names; `nil` for none.
        init(ofSource source: String?, else kept: ClientObject = ClientObject()) {
            self = [nil, "", "manual"].contains(source) ? .unchanged(kept) : .all
        }
    }

    /// The property that is the distance, in kilometres.
    static let distance = "distance_km"

    /// The details that are properties.
    private static let details = ["purpose", "category", "client", "vehicle", "class"]

    /// The details of the trip; only the members of ``details`` are looked at.
    private(set) var details = TripDetails()

    /// How far it went, in metres.
    private(set) var meters: ExactDecimal?

    /// The custom fields.
    private(set) var fields = CustomFields()

    /// The members that the ledger does not have.
    private(set) var rest = ClientObject()

    /// Whether there is a custom field that will be refused.
    private var hasAsked = false

    /// Reads the properties of a request.
    ///
    /// - Parameters:
    ///   - value: The properties; `nil` for none.
    ///   - catalogue: The custom fields.
    ///   - kept: Those that are kept although the ledger has no place for them.
    /// - Throws: `ClientComplaint` if they are no object.
    init(
        _ value: JSONValue?,
        _ catalogue: FieldCatalogue,
        keeping kept: Kept
    ) throws(ClientComplaint) {
        guard let value else { return }
        if case .null = value { return }
        guard let properties = ClientObject(value) else {
            throw ClientComplaint("properties", "it is \(value.typeName), and an object is needed")
        }
        var others: [JSONValue.Member] = []
        for member in properties.members
        where !take(member, catalogue) && !ask(for: member, catalogue, keeping: kept) {
            others.append(member)
        }
        rest = ClientObject(.object(others))?.inOrder ?? rest
    }

    /// Takes a property, if the ledger has a place for it.
    private mutating func take(_ member: JSONValue.Member, _ catalogue: FieldCatalogue) -> Bool {
        let value = member.value["value"]
        if member.name == Self.distance {
            guard case .number(let literal) = value, let number = ExactDecimal(literal: literal),
                number.doubleValue >= 0
            else { return false }
            meters = number.multiplied(byThousandths: 1_000_000)
            return meters != nil
        }
        if Self.details.contains(member.name) {
            guard let text = value?.text, !text.isEmpty, text.utf8.count <= 200 else {
                return false
            }
            return take(text, ofDetail: member.name)
        }
        guard let definition = catalogue.definition(of: member.name), let value,
            let custom = Self.custom(value, definition.valueType)
        else { return false }
        var field = CustomFields()
        field[member.name] = custom
        guard (try? catalogue.check(field)) != nil else { return false }
        fields[member.name] = custom
        return true
    }

    /// Takes a property as a custom field that the ledger does not have, or that does not take the
    /// value, so that the decision is refused.
    ///
    /// One such property is enough. The client's days have a time, and its durations have fractions
    /// of a second: values that fit no field are kept. A property without a value is ignored.
    private mutating func ask(
        for member: JSONValue.Member,
        _ catalogue: FieldCatalogue,
        keeping kept: Kept
    ) -> Bool {
        guard !hasAsked, case .unchanged(let known) = kept, member.name != Self.distance,
            !Self.details.contains(member.name), let value = member.value["value"]
        else { return false }
        let type = catalogue.definition(of: member.name)?.valueType
        guard type != .date, type != .duration, let custom = Self.custom(value, .text) else {
            return false
        }
        let values = [known[member.name], member.value].map { ClientObject([("it", $0)]).inOrder }
        guard values[0].bytes != values[1].bytes else { return false }
        fields[member.name] = custom
        hasAsked = true
        return true
    }

    private mutating func take(_ text: String, ofDetail name: String) -> Bool {
        switch name {
        case "purpose": details.purpose = text
        case "category": details.category = text
        case "client": details.client = text
        case "vehicle": details.vehicle = text
        default:
            guard let tripClass = TripClass(rawValue: text) else { return false }
            details.tripClass = tripClass
        }
        return true
    }
}

// MARK: - Values

extension ClientProperties {
    private static let midnight = "T00:00:00Z"

    /// Returns a value of the client's as the value of a custom field; `nil` if it does not fit.
    private static func custom(_ value: JSONValue, _ type: CustomFieldType) -> CustomValue? {
        switch value {
        case .boolean(let boolean): .boolean(boolean)
        case .text(let text) where type == .date && text.hasSuffix(midnight):
            .text(String(text.dropLast(midnight.utf8.count)))
        case .text(let text): .text(text)
        case .number(let literal) where type == .duration:
            UInt64(literal).map { .text("PT\($0)S") }
        case .number(let literal): ExactDecimal(literal: literal).map { .number($0) }
        case .null, .list, .object: nil
        }
    }

    /// Returns a value as the client reads it: durations as seconds, days as the instants with
    /// which they begin in UTC.
    private static func value(_ value: CustomValue, _ type: CustomFieldType?) -> JSONValue {
        switch value {
        case .null: .null
        case .boolean(let boolean): .boolean(boolean)
        case .number(let number): .number(literal: number.description)
        case .text(let text) where type == .date && CivilDate(text) != nil:
            .text(text + midnight)
        case .text(let text):
            type == .duration
                ? seconds(of: text).map { .number(literal: "\($0)") } ?? .text(text) : .text(text)
        }
    }

    /// Returns the seconds of a duration of days, hours, minutes and seconds, such as PT1H30M.
    private static func seconds(of text: String) -> UInt64? {
        var (seconds, digits) = (UInt64(0), UInt64(0))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (tens, isTooLarge) = digits.multipliedReportingOverflow(by: 10)
                guard !isTooLarge, tens < 1 << 40 else { return nil }
                digits = tens + UInt64(byte - UInt8(ascii: "0"))
                continue
            case UInt8(ascii: "D"): seconds += digits * 86_400
            case UInt8(ascii: "H"): seconds += digits * 3_600
            case UInt8(ascii: "M"): seconds += digits * 60
            case UInt8(ascii: "S"): seconds += digits
            default: break
            }
            digits = 0
        }
        return seconds
    }

    private static func type(of value: CustomValue) -> CustomFieldType {
        switch value {
        case .text, .null: .text
        case .number: .number
        case .boolean: .boolean
        }
    }

    private static func property(_ type: CustomFieldType, _ value: JSONValue) -> JSONValue {
        .object([
            JSONValue.Member(name: "type", value: .text(type.rawValue)),
            JSONValue.Member(name: "value", value: value),
        ])
    }

    /// Returns the properties of a trip as the client reads them.
    ///
    /// - Parameters:
    ///   - booked: The trip.
    ///   - rest: The members that the ledger did not have when they were sent.
    ///   - catalogue: The custom fields.
    /// - Returns: The properties by name.
    static func object(
        of booked: BookedTrip,
        _ rest: ClientObject?,
        _ catalogue: FieldCatalogue
    ) -> ClientObject {
        var object = rest ?? ClientObject()
        let details = booked.details
        let texts = [
            ("purpose", details.purpose), ("category", details.category),
            ("client", details.client), ("vehicle", details.vehicle),
            ("class", details.tripClass?.rawValue),
        ]
        for (name, text) in texts {
            if let text { object[name] = property(.text, .text(text)) }
        }
        // A report with a distance of 0 does not state a distance.
        if booked.claimedDistance > .zero || booked.trip.startedBy != .report {
            object[distance] = property(.number, booked.claimedDistance.kilometers)
        }
        for field in details.fields?.all ?? [] where field.value != .null {
            let defined = catalogue.definition(of: field.key)?.valueType
            object[field.key] = property(
                defined ?? type(of: field.value),
                value(field.value, defined)
            )
        }
        return object
    }
}
