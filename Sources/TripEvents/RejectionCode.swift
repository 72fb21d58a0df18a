/// What can be wrong with a line; the raw value is what receipts carry.
public enum RejectionCode: String, CaseIterable, Sendable {
    // The line.
    case emptyLine = "empty_line"
    case lineTooLong = "line_too_long"

    // The JSON text.
    case invalidJSON = "invalid_json"
    case invalidUTF8 = "invalid_utf8"
    case invalidEscape = "invalid_escape"
    case controlCharacter = "control_character"
    case invalidNumber = "invalid_number"
    case tooDeep = "too_deep"
    case duplicateKey = "duplicate_key"
    case notAnObject = "not_an_object"

    // The members.
    case missingField = "missing_field"
    case unknownField = "unknown_field"
    case wrongType = "wrong_type"
    case unknownType = "unknown_type"
    case reservedType = "reserved_type"

    // The values.
    case invalidTime = "invalid_time"
    case timeOutOfRange = "time_out_of_range"
    case numberOutOfRange = "number_out_of_range"
    case negativeZero = "negative_zero"
    case coordinateOutOfRange = "coordinate_out_of_range"
    case unknownValue = "unknown_value"
    case invalidValue = "invalid_value"
    case emptyText = "empty_text"
    case textTooLong = "text_too_long"
    case invalidText = "invalid_text"

    // The event as stored.
    case entryTooLong = "entry_too_long"

    /// Another line that was to be stored together with this one has its id and says something
    /// else.
    case idTaken = "id_taken"
}
