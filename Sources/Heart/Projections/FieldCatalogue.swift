import RowCoding
public import TripEvents
import TripTracking

/// The custom fields that people defined: of each key, the last definition in event order holds;
/// for a group that of its own sources, if there is one, and else the owner's.
public struct FieldCatalogue: Hashable, Sendable {
    private static let formatVersion: UInt8 = 2

    /// The definitions that hold, by the bytes of their keys.
    private var byKey: [[UInt8]: FieldDefined] = [:]

    /// Creates a catalogue without fields.
    public init() {}

    /// Reads the catalogue of a group, or of the owner, from the book's rows.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    init(
        in rows: RowTable,
        for group: String?
    ) throws {
        // For one key, the owner's definition comes before those of groups.
        for decision in try Self.decisions(in: rows) where decision.concerns(group) {
            guard case .fieldDefined(let definition) = decision.event.body else { continue }
            byKey[Array(definition.key.utf8)] = definition
        }
    }

    /// Returns the decisions that hold, in order of the keys, then of the groups.
    ///
    /// - Throws: what the store throws, or `RowCodingError` if a row is damaged.
    static func decisions(
        in rows: RowTable
    ) throws -> [Decision] {
        let keys = KeyRange(prefix: BookRowKind.field.prefix)
        return try rows.rows(in: keys)
            .map { try decision(decoding: $0.value) }
    }

    /// Keeps a definition in the book's rows, unless there is a later one of the same key.
    static func put(
        _ decision: Decision,
        defining name: String,
        in rows: inout RowTable
    ) throws {
        let key = BookKey.field(name, in: decision.group)
        if let stored = try rows.value(forKey: key) {
            guard try Self.decision(decoding: stored) < decision else { return }
        }
        var writer = RowEncoder(version: formatVersion)
        decision.write(to: &writer)
        rows.put(writer.bytes, key: key)
    }

    /// Returns the first custom field that an edit sets and that is not defined for a group; `nil`
    /// if there is none.
    ///
    /// The fields of a report or of a routine are kept as they came.
    ///
    /// - Throws: what the store throws.
    static func missing(
        by decision: Decision,
        _ group: String?,
        in rows: RowTable
    ) throws -> String? {
        guard case .detailsEdited(let edit) = decision.event.body, let fields = edit.fields else {
            return nil
        }
        for field in fields.all {
            let isOwners = try rows.value(forKey: BookKey.field(field.key, in: nil)) != nil
            if isOwners { continue }
            guard let group, try rows.value(forKey: BookKey.field(field.key, in: group)) != nil
            else { return field.key }
        }
        return nil
    }

    private static func decision(decoding bytes: [UInt8]) throws(RowCodingError) -> Decision {
        var reader = try RowDecoder(bytes, version: formatVersion)
        let decision = try Decision(from: &reader)
        try reader.finish()
        return decision
    }

    /// The definitions that hold, in the order that people gave them, then by key; those without an
    /// order come last.
    public var definitions: [FieldDefined] {
        byKey.sorted { left, right in
            let orders = (left.value.order ?? .max, right.value.order ?? .max)
            return orders.0 == orders.1
                ? left.key.lexicographicallyPrecedes(right.key) : orders.0 < orders.1
        }
        .map(\.value)
    }

    /// Checks the custom fields of an edit, a routine or a report; a null clears a field.
    ///
    /// They are checked once, before they are appended, with the definitions of that day. For
    /// events in the log, the book asks only whether the field of an edit is defined.
    ///
    /// - Throws: `Rejection` for an undefined field or a value that the field cannot hold.
    public func check(_ fields: CustomFields) throws(Rejection) {
        for field in fields.all {
            guard let definition = definition(of: field.key) else {
                throw Rejection(
                    .unknownField,
                    field: "fields",
                    sentence: complaint(aboutUndefined: field.key)
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

    /// The details that every trip has without a definition, so that no custom field can have these
    /// keys.
    package static let detailNames = [
        "title", "purpose", "notes", "category", "client", "vehicle", "class", "mode",
    ]

    /// Says that no field has a key, which field may be meant, and which fields are defined.
    private func complaint(aboutUndefined key: String) -> String {
        let keys = definitions.map { Excerpt.escaped($0.key) }
        let defined =
            keys.isEmpty
            ? "none is defined yet" : "those defined are \(keys.joined(separator: ", "))"
        let nearest = NearestNames(to: key, among: keys + Self.detailNames)
        let isOfEveryTrip =
            !nearest.names.isEmpty && nearest.names.allSatisfy { !keys.contains($0) }
        let cause = DecisionObstacle.lacksField(key).cause(by: nil)
        return [
            "\(cause.prefix(1).uppercased())\(cause.dropFirst()); \(defined) "
                + "(`ledger field define` defines one).",
            nearest.question,
            isOfEveryTrip ? "That is no custom field: every trip has it." : nil,
        ]
        .compactMap(\.self)
        .joined(separator: " ")
    }
}

extension FieldCatalogue {
    /// Returns the value that a person means by writing `text` for a custom field.
    ///
    /// A number field takes a number; a field of true or false also takes yes or no. Text that does
    /// not say such a value, or is for an undefined field, stays text; ``check(_:)`` says why that
    /// is not acceptable.
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
        byKey[Array(key.utf8)]
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
        (options ?? []).contains { $0.hasSameBytes(as: text) }
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
