import RowCoding
public import TripEvents
import TripTracking

/// The custom fields that people defined: of each key, the last definition in event order holds.
public struct FieldCatalogue: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// Every definition in event order.
    private var decisions: [Decision] = []

    /// Creates a catalogue without fields.
    public init() {}

    /// Reads a catalogue.
    ///
    /// - Throws: why the bytes are no catalogue of this version; the view is then rebuilt.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        for _ in 0..<(try reader.readAmount()) {
            decisions.append(try Decision(from: &reader))
        }
        try reader.finish()
    }

    /// The catalogue as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(UInt64(decisions.count))
        for decision in decisions {
            decision.write(to: &writer)
        }
        return writer.bytes
    }

    /// The definitions that hold, in the order that people gave them, then by key; those without an
    /// order come last.
    public var definitions: [FieldDefined] {
        var byKey: [[UInt8]: FieldDefined] = [:]
        for decision in decisions {
            guard case .fieldDefined(let definition) = decision.event.body else { continue }
            byKey[Array(definition.key.utf8)] = definition
        }
        return
            byKey.sorted { left, right in
                let orders = (left.value.order ?? .max, right.value.order ?? .max)
                return orders.0 == orders.1
                    ? left.key.lexicographicallyPrecedes(right.key) : orders.0 < orders.1
            }
            .map(\.value)
    }

    /// Checks the custom fields of an edit, a routine or a report; a null clears a field.
    ///
    /// They are checked once, before they are appended, with the definitions of that day; what is
    /// in the log is never checked again.
    ///
    /// - Throws: `Rejection` for an undefined field or a value that the field cannot hold.
    public func check(_ fields: CustomFields) throws(Rejection) {
        for field in fields.all {
            guard let definition = definition(of: field.key) else {
                throw Rejection(
                    .unknownField,
                    field: "fields",
                    sentence: "There is no custom field \(Excerpt.escaped(field.key)); "
                        + definedFields
                )
            }
            if let expected = definition.complaint(about: field.value) {
                throw Rejection(
                    .invalidValue,
                    field: "fields",
                    sentence: "The custom field \(Excerpt.escaped(field.key)) must be "
                        + "\(expected)."
                )
            }
        }
    }

    /// The defined fields, for the sentence that rejects an undefined one.
    private var definedFields: String {
        let keys = definitions.map { Excerpt.escaped($0.key) }
        let list =
            keys.isEmpty
            ? "none is defined yet" : "those defined are \(keys.joined(separator: ", "))"
        return "\(list) (`ledger field define` defines one)."
    }

    /// Adds a definition and returns whether it is new.
    mutating func add(_ decision: Decision) -> Bool {
        let index = decisions.firstIndex { !($0 < decision) } ?? decisions.count
        guard index == decisions.count || decisions[index].order != decision.order else {
            return false
        }
        decisions.insert(decision, at: index)
        return true
    }
}

extension FieldCatalogue {
    /// Returns what a person means who writes `text` as the value of a custom field.
    ///
    /// A field of numbers takes a number, one of true or false also yes or no. Text that does not
    /// say such a value, or is for an undefined field, stays text; ``check(_:)`` says why that is
    /// not acceptable.
    public func value(of key: String, from text: String) -> CustomValue {
        switch definition(of: key)?.valueType {
        case .number?:
            return ExactDecimal(literal: text).map(CustomValue.number) ?? .text(text)
        case .boolean?:
            switch text.lowercased() {
            case "true", "yes": return .boolean(true)
            case "false", "no": return .boolean(false)
            default: return .text(text)
            }
        case .text?, .date?, .duration?, .url?, .email?, .select?, nil:
            return .text(text)
        }
    }

    /// Returns the last definition of a custom field, or `nil` if there is none.
    public func definition(of key: String) -> FieldDefined? {
        definitions.first { $0.key.utf8.elementsEqual(key.utf8) }
    }
}

extension FieldDefined {
    /// Returns what a value of the field must be, in words for a sentence, or `nil` if `value` is
    /// acceptable.
    func complaint(about value: CustomValue) -> String? {
        if value == .null { return nil }
        switch valueType {
        case .number:
            if case .number = value { return nil }
            return "a number"
        case .boolean:
            if case .boolean = value { return nil }
            return "true or false"
        case .text, .date, .duration, .url, .email, .select:
            guard case .text(let text) = value else { return "a text" }
            return complaint(aboutText: text)
        }
    }

    private func complaint(aboutText text: String) -> String? {
        switch valueType {
        case .text, .number, .boolean: nil
        case .date: CivilDate(text) == nil ? "a date as YYYY-MM-DD" : nil
        case .duration: Self.isDuration(text) ? nil : "a duration as PT1H30M (ISO 8601)"
        case .url: Self.isWebAddress(text) ? nil : "a web address with http:// or https://"
        case .email: Self.isMailAddress(text) ? nil : "a mail address"
        case .select:
            isOffered(text) ? nil : "one of " + (options ?? []).joined(separator: ", ")
        }
    }

    private func isOffered(_ text: String) -> Bool {
        (options ?? []).contains { $0.utf8.elementsEqual(text.utf8) }
    }

    /// Durations of days, hours, minutes and seconds (ISO 8601-1 §5.5.2.2), whole numbers only:
    /// months and years have no length of their own.
    private static func isDuration(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "P") else { return false }
        var units = Array("DTHMS".utf8)[...]
        var digits = 0
        var isComplete = false
        for byte in text.utf8.dropFirst() {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                digits += 1
                continue
            }
            guard let index = units.firstIndex(of: byte) else { return false }
            let isTimeMark = byte == UInt8(ascii: "T")
            let isInDate = units.contains(UInt8(ascii: "T"))
            guard isTimeMark == (digits == 0), isTimeMark || isInDate == (byte == UInt8(ascii: "D"))
            else { return false }
            isComplete = !isTimeMark
            digits = 0
            units = units[(index + 1)...]
        }
        return isComplete && digits == 0
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !host.isEmpty && !text.contains { $0.isWhitespace }
    }

    /// One `@` with something before it and a name with a dot after it: all that can be checked
    /// without sending mail.
    private static func isMailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: \.isWhitespace) else {
            return false
        }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }
}

extension EventBody {
    /// The custom fields that an edit, a routine or a report sets.
    package var customFields: CustomFields? {
        switch self {
        case .detailsEdited(let edit): edit.fields
        case .routineSaved(let saving): saving.details.fields
        case .tripReported(let report): report.details.fields
        default: nil
        }
    }
}
