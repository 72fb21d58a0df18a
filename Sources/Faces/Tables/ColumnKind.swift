/// The kind of values in a column.
package enum ColumnKind: String, Sendable {
    case text
    case name
    case list = "list of texts"
    case integer
    case number
    case seconds
    case meters
    case boolean
    case day
    case time
    case trip = "trip id"
    case value = "text, number or boolean"
    case object
    case rows = "list of objects"
    case members

    /// Whether people read it best aligned to the right.
    var isNumber: Bool {
        switch self {
        case .integer, .number, .seconds, .meters: true
        case .text, .name, .list, .boolean, .day, .time, .trip, .value, .object, .rows, .members:
            false
        }
    }

    /// Whether it is words of any length, the beginning of which says something.
    var isText: Bool {
        switch self {
        case .text, .list, .value: true
        case .name, .integer, .number, .seconds, .meters, .boolean, .day, .time, .trip, .object,
            .rows, .members:
            false
        }
    }
}
