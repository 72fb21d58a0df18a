/// What a field's value may be, in JSON and in bytes.
enum FieldForm {
    case text(TextRule)
    case number(NumberRule)
    case integer(ClosedRange<UInt64>)
    case boolean

    /// RFC 3339, or milliseconds since 1970.
    case time

    /// `YYYY-MM-DD`.
    case date

    /// 32 lower-case hexadecimal digits.
    case trip

    /// 64 lower-case hexadecimal digits.
    case digest

    /// Positions of entries, such as `12-40,55`.
    case positions

    /// One of a few words.
    case choice([String])

    /// A list of short texts.
    case texts(count: ClosedRange<Int>)

    /// A list of trips.
    case trips(count: ClosedRange<Int>)

    /// An object of texts, numbers, booleans and nulls.
    case values

    static let maximumValues = 100

    /// What the JSON value must be, as a sentence calls it.
    var typeName: String {
        switch self {
        case .text, .date, .trip, .digest, .positions, .choice: "a text"
        case .number: "a number"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .time: "a time"
        case .texts, .trips: "a list of texts"
        case .values: "an object"
        }
    }
}
