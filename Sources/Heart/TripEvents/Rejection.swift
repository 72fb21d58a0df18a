/// Why a line is not taken, as a receipt says it.
public struct Rejection: Error, Hashable, Sendable {
    /// What is wrong, for programs.
    public let code: RejectionCode

    /// The byte of the line where it was seen, from 1, if there is such a place.
    public let column: Int?

    /// The member of the JSON object that is wrong, if it is one of the catalogue's.
    public let field: String?

    /// What is wrong, with the value seen and what is allowed, for people.
    public let sentence: String

    /// Creates a reason.
    public init(
        _ code: RejectionCode,
        column: Int? = nil,
        field: String? = nil,
        sentence: String
    ) {
        self.code = code
        self.column = column
        self.field = field
        self.sentence = sentence
    }

    /// Returns the same reason with the place where it was seen.
    func at(column: Int?) -> Rejection {
        Rejection(code, column: column, field: field, sentence: sentence)
    }
}

extension Rejection {
    /// Creates the reason for a line that is not JSON.
    package init(_ error: JSONSyntaxError) {
        let code: RejectionCode =
            switch error.code {
            case .invalidJSON: .invalidJSON
            case .invalidUTF8: .invalidUTF8
            case .invalidEscape: .invalidEscape
            case .controlCharacter: .controlCharacter
            case .invalidNumber: .invalidNumber
            case .tooDeep: .tooDeep
            case .duplicateKey: .duplicateKey
            }
        self.init(code, column: error.column, sentence: error.sentence)
    }

    /// Returns the reason for a member that must be there and is not.
    package static func missingField(_ name: String) -> Rejection {
        Rejection(.missingField, field: name, sentence: "The event has no \(name).")
    }

    /// Returns the same reason with the member of the line that was perhaps meant.
    func perhapsMeant(by name: String?) -> Rejection {
        guard let name else { return self }
        let sentence = "\(sentence.dropLast()); perhaps \(Excerpt.of(name)) was meant."
        return Rejection(code, column: column, field: field, sentence: sentence)
    }

    /// Returns the same reason with the kind of event that was perhaps meant.
    func perhapsMeans(_ kind: EventKind?) -> Rejection {
        guard let kind else { return self }
        let sentence = "\(sentence.dropLast()); perhaps \(kind.name) was meant."
        return Rejection(code, column: column, field: field, sentence: sentence)
    }

    /// Returns the reason for a member that events of this type do not have.
    static func unknownField(_ name: String, field: FieldName?) -> Rejection {
        Rejection(
            .unknownField,
            field: field?.jsonName,
            sentence: "Events of this type have no member \(Excerpt.of(name))."
        )
    }

    /// Returns the reason for an event that names a different group than that of its source.
    ///
    /// - Parameters:
    ///   - group: the group that was given, if one was.
    ///   - source: the name of the source.
    ///   - known: the group that the source belongs to; `nil` for the ledger's owner.
    /// - Returns: The rejection, with what to do.
    package static func otherGroup(
        _ group: String?,
        of source: String,
        knownAs known: String?
    ) -> Rejection {
        let owner = known.map { "of the group \(Excerpt.of($0))" } ?? "the owner's, of no group"
        let given = group.map { "not of \(Excerpt.of($0))" } ?? "not the owner's"
        return Rejection(
            .otherGroup,
            field: FieldName.group.jsonName,
            sentence: "The source \(Excerpt.of(source)) is \(owner), and \(given): a source keeps "
                + "the group of its first event. Leave group out, or give the source another name."
        )
    }

    /// Returns the reason for a line that names a different group than the one required of all
    /// lines.
    static func otherGroup(_ group: String, than wanted: String) -> Rejection {
        Rejection(
            .otherGroup,
            field: FieldName.group.jsonName,
            sentence: "group is \(Excerpt.of(group)); everything that comes this way is of the "
                + "group \(Excerpt.of(wanted)). Leave group out, or send the line another way."
        )
    }

    /// Returns the reason for a member whose value is of another JSON type.
    static func wrongType(_ name: String, expected: String, found: String) -> Rejection {
        Rejection(.wrongType, field: name, sentence: "\(name) is \(found); it must be \(expected).")
    }
}

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

    // The input in another format.
    case invalidXML = "invalid_xml"
    case invalidChecksum = "invalid_checksum"
    case encrypted

    // The members.
    case missingField = "missing_field"
    case unknownField = "unknown_field"
    case wrongType = "wrong_type"
    case unknownType = "unknown_type"
    case reservedType = "reserved_type"
    case reservedSource = "reserved_source"

    /// The source belongs to another group than the one that was given.
    case otherGroup = "other_group"

    // The values.
    case invalidTime = "invalid_time"
    case timeOutOfRange = "time_out_of_range"
    case numberOutOfRange = "number_out_of_range"
    case coordinateOutOfRange = "coordinate_out_of_range"
    case unknownValue = "unknown_value"
    case invalidValue = "invalid_value"
    case emptyText = "empty_text"
    case textTooLong = "text_too_long"
    case invalidText = "invalid_text"

    // The event as stored.
    case entryTooLong = "entry_too_long"
    case extraTooLong = "extra_too_long"

    /// It is an entry that another ledger wrote about itself, or whose content is gone: there is
    /// nothing to append, and nothing wrong.
    case nothingToAppend = "nothing_to_append"

    /// Another line that was to be stored together with this one has its id and says something
    /// else.
    case idTaken = "id_taken"
}
