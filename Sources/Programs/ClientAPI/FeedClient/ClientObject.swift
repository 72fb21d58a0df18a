import HTTPTypes
import JSONText
import LedgerHTTP
import TripEvents
import TripLedger

/// An object as the feed client writes and reads it.
struct ClientObject: Sendable {
    /// The members in their order.
    private(set) var members: [JSONValue.Member]

    /// Creates an object of members; those without a value are left out.
    init(_ members: [(String, JSONValue?)] = []) {
        self.members = members.compactMap { name, value in
            value.map { JSONValue.Member(name: name, value: $0) }
        }
    }

    /// Takes an object of JSON, or returns `nil` if a value is something else.
    init?(_ value: JSONValue?) {
        guard case .object(let members) = value else { return nil }
        self.members = members
    }

    /// Takes the members that a sender has added to an event; none if there are none.
    init(addedTo event: TripEvent) {
        let json = event.supplement.extra.map { Array($0.json.utf8) } ?? []
        self = ClientObject(try? JSONValue(json.span)) ?? ClientObject()
    }

    /// The object as JSON.
    var value: JSONValue { .object(members) }

    /// The object as bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(members, to: &bytes)
        return bytes
    }

    /// The object with its members, and those of all objects in it, in order of their names: an app
    /// that sends something again may send it in another order.
    var inOrder: ClientObject { ClientObject(Self.inOrder(value)) ?? self }

    private static func inOrder(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .boolean, .number, .text: value
        case .list(let elements): .list(elements.map(inOrder))
        case .object(let members):
            .object(
                members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                    .map { JSONValue.Member(name: $0.name, value: inOrder($0.value)) }
            )
        }
    }

    /// The same members, to be added to an event; `nil` if there are none.
    ///
    /// - Throws: `ClientComplaint` if they are more than can be added.
    func extra() throws(ClientComplaint) -> ExtraMembers? {
        guard !members.isEmpty else { return nil }
        guard let extra = ExtraMembers(json: String(decoding: bytes, as: UTF8.self)) else {
            let most = ExtraMembers.maximumBytes
            throw ClientComplaint("properties", "what is no field here has more than \(most) bytes")
        }
        return extra
    }

    /// The value of a member; a new one comes last, and `nil` takes it away.
    subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(JSONValue.Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Takes over the members of another object that have one of some names; a null removes a
    /// member.
    mutating func merge(_ other: ClientObject, _ names: [String]) {
        for member in other.members where names.contains(member.name) {
            if case .null = member.value {
                self[member.name] = nil
            } else {
                self[member.name] = member.value
            }
        }
    }
}

/// The reason to refuse something that the feed client sent.
struct ClientComplaint: Error {
    /// The member.
    let field: String

    /// The reason.
    let reason: String

    init(_ field: String, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    /// The message that the client shows.
    var message: String { "\(field): \(reason)" }

    /// The complaint as the answer to a request for a single thing.
    var problem: Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: message,
            detail: "Change it and send it again.",
            errors: [Problem.Detail(field: field, code: "invalid_value")]
        )
    }
}

// MARK: - Members of requests

extension ClientObject {
    /// Returns a member that is not null; `nil` if it is missing or null.
    func said(_ name: String) -> JSONValue? {
        if case .null = self[name] { nil } else { self[name] }
    }

    /// Returns a text; `nil` if it is not there, null or empty.
    ///
    /// - Throws: `ClientComplaint` if it is something else, or longer than `most` bytes.
    func text(_ name: String, most: Int = 1_000) throws(ClientComplaint) -> String? {
        guard let value = said(name) else { return nil }
        guard let text = value.text else {
            throw ClientComplaint(name, "it is \(value.typeName), and a text is needed")
        }
        guard text.utf8.count <= most else {
            throw ClientComplaint(name, "it has \(text.utf8.count) bytes, and \(most) are allowed")
        }
        return text.isEmpty ? nil : text
    }

    /// Returns a text that must be there.
    func requiredText(_ name: String, most: Int = 200) throws(ClientComplaint) -> String {
        guard let text = try text(name, most: most) else {
            throw ClientComplaint(name, "it is missing")
        }
        return text
    }

    /// Returns a truth value; `nil` if it is not there.
    func boolean(_ name: String) throws(ClientComplaint) -> Bool? {
        guard let value = said(name) else { return nil }
        guard case .boolean(let boolean) = value else {
            throw ClientComplaint(name, "it is \(value.typeName), and true or false is needed")
        }
        return boolean
    }

    /// Returns a number; `nil` if it is not there.
    ///
    /// - Throws: `ClientComplaint` if it is something else or out of a range.
    func number(
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(ClientComplaint) -> ExactDecimal? {
        guard let value = said(name) else { return nil }
        guard case .number(let literal) = value, let number = ExactDecimal(literal: literal) else {
            throw ClientComplaint(name, "it is \(value.typeName), and a number is needed")
        }
        let double = number.doubleValue
        guard double >= Double(range.lowerBound), double <= Double(range.upperBound) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw ClientComplaint(name, "\(literal) is out of range (\(bounds))")
        }
        return number
    }

    /// Returns a time; `nil` if it is not there.
    func time(_ name: String) throws(ClientComplaint) -> EventTime? {
        guard let value = said(name) else { return nil }
        guard let text = value.text else {
            throw ClientComplaint(name, "it is \(value.typeName), and a time is needed")
        }
        guard let time = RFC3339.time(text) else {
            throw ClientComplaint(name, "\"\(text.prefix(40))\" is no time")
        }
        return time
    }

    /// Returns the id that the client has given, which is a UUID; `nil` if it has given none.
    func id() throws(ClientComplaint) -> String? {
        guard let id = try text("id", most: 100) else { return nil }
        guard ClientID.isUUID(id) else { throw ClientComplaint("id", "it is no UUID") }
        return id
    }
}

/// The ids of the feed client: UUIDs for things that it has made itself, and else the ledger's
/// names, with bytes escaped that cannot stand in an address.
enum ClientID {
    /// Whether a text is a UUID: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.utf8.allSatisfy(isHexadecimal) }
    }

    /// Returns the id of something that the ledger has a name for.
    static func id(of name: String) -> String {
        var id = ""
        for byte in name.utf8 {
            if isUnreserved(byte) {
                id.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                id += "%" + (byte < 16 ? "0" : "") + digits
            }
        }
        return id
    }

    /// Returns the name that an id in an address stands for, or the id itself if it is not an
    /// escaped name.
    static func name(of id: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(id.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2,
                digits.utf8.allSatisfy(isHexadecimal), let escaped = UInt8(digits, radix: 16)
            {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? id
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// The bytes that need no escape anywhere in an address (RFC 3986, 2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
