import JSONText
import LedgerRows
import Platform
import Proofs
import TripEvents

/// A notification in the form for receivers.
struct Notice {
    /// The notification: `notification.v1.schema.json`.
    let json: [UInt8]

    /// What happened, in a sentence without a full stop.
    let message: String

    /// The kind in words, such as "Trip ended".
    let title: String

    private let kind: String

    /// Reads a recorded notification; the title is in a language (BCP 47), `nil` for English.
    init(_ json: [UInt8], language: String?) {
        self.json = json
        let members = JSONMembers(json.span)
        message = members?.text("message") ?? "Something happened"
        kind = members?.text("notification") ?? "notice"
        title = NotificationTitle.text(of: kind, language: language)
    }

    /// Creates a notice from a sentence about the report of a month, for which there is no
    /// notification.
    init(ofMonth sentence: String, language: String?) {
        let kind = NotificationTitle.monthIssued
        var json = Array("{\"notification\":\"\(kind)\",\"message\":".utf8)
        JSONWriter.append(sentence, to: &json)
        self.init(json + [UInt8(ascii: "}")], language: language)
    }

    /// The id that distinguishes it from every other one, and stays the same when it is sent again.
    var id: String { String(SHA256.digest(json.span).description.prefix(32)) }

    /// Returns what is posted, in a form.
    func body(as form: NoticeOptions.Form) -> [UInt8] {
        switch form {
        case .json: return json
        case .ntfy: return Array(message.utf8)
        case .apprise:
            var body: [UInt8] = [UInt8(ascii: "{")]
            let isWarning = kind.hasSuffix("_due") || kind.hasSuffix("_lost")
            let members = [
                ("title", title), ("body", message), ("type", isWarning ? "warning" : "info"),
                ("format", "text"),
            ]
            for (index, member) in members.enumerated() {
                if index > 0 { body.append(UInt8(ascii: ",")) }
                JSONWriter.append(member.0, to: &body)
                body.append(UInt8(ascii: ":"))
                JSONWriter.append(member.1, to: &body)
            }
            return body + [UInt8(ascii: "}")]
        }
    }

    /// Returns the fields of the head of what is posted.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - key: The key that signs the body; `nil` for none.
    ///   - token: The token that the receiver asks for; `nil` for none.
    /// - Returns: The fields.
    func fields(as form: NoticeOptions.Form, key: String?, token: String?) -> [String] {
        var fields = ["X-Ledger-Notice: \(id)"]
        switch form {
        case .json, .apprise: fields.append("Content-Type: application/json")
        case .ntfy:
            // A header field is ASCII; ntfy decodes other characters as in mail headers.
            let title = title.utf8.allSatisfy { $0 < 0x80 } ? title : Self.encodedWords(title)
            fields += [
                "Content-Type: text/plain; charset=utf-8", "Title: \(title)", "Tags: \(kind)",
            ]
        }
        if let key {
            let code = SHA256.code(of: body(as: form), key: Array(key.utf8))
            fields.append("X-Ledger-Signature: sha256=\(code)")
        }
        if let token { fields.append("Authorization: Bearer \(token)") }
        return fields
    }

    /// Returns the mail with it (RFC 5322).
    ///
    /// - Parameters:
    ///   - address: The receiver.
    ///   - now: The present.
    /// - Returns: Its bytes.
    func letter(to address: String, now: Timestamp) -> [UInt8] {
        let body = Base64.text(Array("\(message).\n\n".utf8) + json + [UInt8(ascii: "\n")])
        let head = [
            "To: \(address)", "Subject: \(Self.encodedWords(message))", "Date: \(Self.date(now))",
            "Message-ID: <\(id)@ledger.invalid>", "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64",
        ]
        return Array((head.joined(separator: "\n") + "\n\n").utf8) + Self.lines(of: body)
    }

    /// Returns a text in encoded words of mail headers (RFC 2047), each as long as possible.
    private static func encodedWords(_ text: String) -> String {
        var rest = Array(text.utf8)[...]
        var words: [String] = []
        while !rest.isEmpty {
            let word = rest.prefix(45).validUTF8
            words.append("=?utf-8?B?\(Base64.text(word))?=")
            rest = rest.dropFirst(max(1, word.count))
        }
        return words.joined(separator: "\n ")
    }

    private static func lines(of text: String) -> [UInt8] {
        var lines: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            if index > 0, index % 76 == 0 { lines.append(UInt8(ascii: "\n")) }
            lines.append(byte)
        }
        return lines + [UInt8(ascii: "\n")]
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func date(_ now: Timestamp) -> String {
        // 2026-03-14T08:30:00.000Z
        let text = RFC3339.text(now)
        let day = CivilDate(String(text.prefix(10)))
        let month = day.map { months[$0.month - 1] } ?? ""
        return "\(day?.day ?? 1) \(month) \(text.prefix(4)) \(text.dropFirst(11).prefix(8)) +0000"
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without a character at their end that was cut off.
    fileprivate var validUTF8: [UInt8] {
        var bytes = Array(self)
        while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        return bytes
    }
}
