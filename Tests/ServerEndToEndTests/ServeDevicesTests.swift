import Foundation
import TestSupport
import Testing

/// Setting up phones over HTTP.
@Suite struct ServeDevicesTests {
    private struct Device: Decodable {
        var token: String
        var link: String
        var sources: [String]
        var code: String
        var remarks: [String]

        private enum CodingKeys: String, CodingKey {
            case token, link, sources, remarks
            case code = "qr_svg"
        }
    }

    private static func make(
        _ server: ServedLedger,
        _ members: [String: String],
        _ fields: String...
    ) throws -> ServedLedger.Answer {
        let body = try JSONSerialization.data(withJSONObject: members)
        let length = "Content-Length: \(body.count)"
        let head = ["POST /v1/devices HTTP/1.1", "Host: localhost:\(server.port)", length]
        let type =
            fields.contains { $0.hasPrefix("Content-Type") }
            ? [] : ["Content-Type: application/json"]
        let connection = try server.connect()
        let lines = head + type + fields + ["Connection: close", "", ""]
        try connection.send(Data(lines.joined(separator: "\r\n").utf8) + body)
        return try ServedLedger.Answer(connection.answer())
    }

    private static let phone = [
        "name": "Eva's phone", "app": "owntracks", "url": "https://ledger.example",
    ]

    @Test(arguments: ["owntracks", "overland", "traccar", "colota", "gpslogger", "osmand"])
    func `a device that was set up delivers until it is revoked`(app: String) throws {
        let server = try ServedLedger.onSocket()
        var members = Self.phone
        members["app"] = app
        members["time_zone"] = "Europe/Amsterdam"
        let answer = try Self.make(server, members)
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.head.contains("Cache-Control: no-store"))
        let device = try JSONDecoder().decode(Device.self, from: Data(answer.body.utf8))
        #expect(device.sources == ["Eva's phone"] && device.remarks == [])
        // The command's output differs in the secret alone.
        let made = try server.process.run([
            "token", "new", "other", "--source", "x", "--qr", app, "--url",
            "https://ledger.example", "--format", "json",
        ])
        let other = try JSONDecoder().decode([String: LooseText].self, from: made.output)
        let (link, token) = (other["link"]?.text ?? "", other["token"]?.text ?? "")
        func shape(_ link: String, _ token: String, _ name: String) -> String {
            guard let range = link.range(of: "=e") else {
                let escaped = name.addingPercentEncoding(
                    withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))
                )
                return link.replacingOccurrences(of: token, with: "TOKEN")
                    .replacingOccurrences(of: escaped ?? "", with: "NAME")
            }
            let data = Data(base64Encoded: String(link[link.index(after: range.lowerBound)...]))
            let text = String(decoding: data ?? Data(), as: UTF8.self)
                .replacingOccurrences(of: token, with: "TOKEN")
                .replacingOccurrences(of: "\"\(name)\"", with: "NAME")
                .replacingOccurrences(of: "\"\(name.suffix(2))\"", with: "END")
            return link[..<range.lowerBound] + text.trimmingCharacters(in: .whitespaces)
        }
        #expect(shape(device.link, device.token, "Eva's phone") == shape(link, token, "other"))
        #expect(device.code.hasPrefix("<svg xmlns="))
        if JSONSchemaValidator.isPresent {
            let complaints = try JSONSchemaValidator.complaints(
                about: [answer.body],
                schema: "new-device"
            )
            #expect(complaints == [""])
        }
        let fix = Data(#"{"_type":"location","lat":51.9,"lon":4.3,"tst":1763623800}"#.utf8)
        func deliver() throws -> Int {
            let door = "/in/\(device.token)/owntracks"
            return try server.post(fix, as: "application/json", to: door).status
        }
        #expect(try deliver() == 200)
        #expect(try server.process.run("log", "--format", "json").text.contains("Eva's phone"))
        let path = "/v1/devices?name=Eva's%20phone"
        #expect(try server.get(path, method: "DELETE").status == 204)
        #expect(try deliver() == 503)
        #expect(try server.get(path, method: "DELETE").status == 404)
        #expect(try Self.make(server, members).status == 200)
    }

    /// A text in an object that has other values too.
    private struct LooseText: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    @Test func `what cannot be set up is refused with what is wrong`() throws {
        let server = try ServedLedger.onSocket()
        for (member, value) in [
            ("name", "ledger"), ("app", "telex"), ("url", "ftp://x"), ("url", "https://x/?y"),
            ("source", ""), ("time_zone", "Europe/Nowhere"), ("scope", "admin"), ("name", ""),
        ] {
            var members = Self.phone
            members[member] = value
            let answer = try Self.make(server, members)
            #expect(answer.status == 400, "\(member) \(value)")
            #expect(answer.body.contains(#""field":"\#(member)""#), "\(answer.body)")
        }
        for member in Self.phone.keys {
            let answer = try Self.make(server, Self.phone.filter { $0.key != member })
            #expect(answer.status == 400 && answer.body.contains("\(member) must be there"))
        }
        #expect(try server.process.run("token", "list", "--format", "json").lines.isEmpty)
        #expect(try Self.make(server, Self.phone).status == 200)
        let again = try Self.make(server, Self.phone)
        #expect(again.status == 409 && again.body.contains("urn:ledger:conflict"))
        var second = Self.phone
        second["name"] = "tablet"
        second["source"] = Self.phone["name"]
        second["url"] = "http://192.168.1.2:8787"
        let plain = try Self.make(server, second)
        let device = try JSONDecoder().decode(Device.self, from: Data(plain.body.utf8))
        #expect(device.remarks.count == 2 && device.remarks[0].contains("Eva's phone"))
        #expect(try server.get("/v1/devices", method: "DELETE").status == 400)
        _ = try server.token("reader", "--scope", "read")
        #expect(try server.get("/v1/devices?name=reader", method: "DELETE").status == 404)
    }

    @Test func `only a token of the scope admin sets up devices and revokes them`() throws {
        let server = try ServedLedger.onSocket()
        #expect(try Self.make(server, Self.phone).status == 200)
        for scope in ["read", "ingest", "audit", "live", "edit", "admin"] {
            let status = scope == "admin" ? 200 : 403
            let field = "Authorization: Bearer \(try server.token(scope, "--scope", scope))"
            var members = Self.phone
            members["name"] = "phone of \(scope)"
            #expect(try Self.make(server, members, field).status == status, "\(scope)")
            let revoked = try server.get(
                "/v1/devices?name=Eva%27s%20phone",
                method: "DELETE",
                field
            )
            #expect(revoked.status == (scope == "admin" ? 204 : 403), "\(scope)")
        }
    }
}
