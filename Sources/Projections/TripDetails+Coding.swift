package import RowCoding
package import TripEvents
import TripTracking

extension TripDetails {
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
