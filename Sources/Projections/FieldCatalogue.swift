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
    init(decoding bytes: [UInt8]) throws(StateError) {
        var reader = try StateReader(bytes, version: Self.formatVersion)
        for _ in 0..<(try reader.readAmount()) {
            decisions.append(try Decision(from: &reader))
        }
        try reader.finish()
    }

    /// The catalogue as bytes.
    var encoded: [UInt8] {
        var writer = StateWriter(version: Self.formatVersion)
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
    /// The door where people enter them checks them with the definitions of that day; what is in
    /// the log already is never judged again.
    ///
    /// - Throws: `Rejection` for a field that nobody defined or a value that it cannot hold.
    public func check(_ fields: CustomFields) throws(Rejection) {
        for field in fields.all {
            guard let definition = definition(of: field.key) else {
                throw Rejection(
                    .unknownField,
                    field: "fields",
                    sentence: "There is no custom field \(Excerpt.escaped(field.key)); "
                        + whatThereIs
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

    /// The fields there are, for a sentence that says that one is not.
    private var whatThereIs: String {
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
