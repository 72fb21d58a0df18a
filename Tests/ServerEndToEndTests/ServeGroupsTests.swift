import Foundation
import TestSupport
import Testing

/// The rights of a token of a group to say and to see.
@Suite struct ServeGroupsTests {
    private static func data(_ text: String) -> Data { Data(text.utf8) }

    private static func press(_ type: String, _ time: String, _ more: String = "") -> String {
        #"{"type":"\#(type)","occurred_at":"2025-03-03T\#(time)Z"\#(more)}"#
    }

    private static func fix(_ time: String, _ latitude: String) -> String {
        press("fix_recorded", time, #","lat":\#(latitude),"lon":4.3,"accuracy":5"#)
    }

    /// A short drive.
    private static let drive = [
        press("go_pressed", "08:00:00"), fix("08:01:00", "51.90"), fix("08:02:00", "51.91"),
        fix("08:03:00", "51.92"), press("stop_pressed", "08:04:00"),
    ]
    .joined(separator: "\n")

    private static func token(
        _ name: String,
        of group: String,
        in server: ServedLedger
    ) throws -> String {
        "Authorization: Bearer "
            + (try server.token(
                name,
                "--group",
                group,
                "--scope",
                "ingest",
                "--scope",
                "edit",
                "--scope",
                "read"
            ))
    }

    @Test func `what is delivered and decided with a token of a group is of the group`() throws {
        let server = try ServedLedger()
        let box = try Self.token("box-17", of: "17", in: server)
        #expect(try server.post(Self.data(Self.drive), box).status == 200)
        let routine = #"{"type":"routine_saved","routine":"commute","title":"Office"}"#
        let decide = { (json: String) in
            try server.post(Self.data(json), as: "application/json", to: "/v1/decisions", box)
        }
        #expect(try decide(routine).status == 200)
        let log = try server.process.run("log", "--format", "json").lines
        let ofBox = log.filter { $0.contains(#""source":"box-17","group":"17""#) }
        #expect(ofBox.count == 5)
        #expect(log.contains { $0.contains(#""source":"manual/17","group":"17""#) })
        // Matters of the owner and of other groups are not its own.
        for line in [
            routine.replacingOccurrences(of: "{", with: #"{"source":"manual","#),
            routine.replacingOccurrences(of: "{", with: #"{"source":"manual/18","#),
        ] {
            let answer = try decide(line)
            #expect(answer.status == 403, "\(answer)")
        }
        let other = Self.press("go_pressed", "09:00:00", #","group":"18""#)
        let answer = try server.post(Self.data(other), box)
        #expect(answer.body.contains(#""code":"other_group""#), "\(answer)")
    }

    @Test func `what a device of a group reads of an odometer is its own, and tells it nothing`()
        throws
    {
        let server = try ServedLedger()
        func read(
            _ value: Int,
            at time: String,
            _ token: String,
            _ more: String = ""
        ) throws -> ServedLedger.Answer {
            let body =
                #"{"type":"odometer_read","vehicle":"g17-car","value":\#(value),"unit":"km","#
                + #""occurred_at":"2025-03-01T\#(time)Z"\#(more)}"#
            return try server.post(
                Self.data(body),
                as: "application/json",
                to: "/v1/decisions",
                "Authorization: Bearer \(token)"
            )
        }
        let phone = try server.token("phone-17", "--group", "17")
        let box = try server.token("box-17", "--group", "17")
        #expect(try read(66_666, at: "08:00:00", phone).status == 200)
        let answer = try read(1, at: "09:00:00", box)
        #expect(answer.status == 200, "\(answer)")
        #expect(!answer.body.contains("66666") && !answer.body.contains("warnings"), "\(answer)")
        let log = try server.process.run("log", "--type", "odometer_read", "--format", "json").lines
        for source in ["phone-17", "box-17"] {
            let own = #""source":"\#(source)","group":"17""#
            #expect(log.count { $0.contains(own) } == 1, "\(log)")
        }
        // It says nothing in the name of the group, or of another device.
        for source in ["manual/17", "phone-17"] {
            let refused = try read(2, at: "10:00:00", box, #","source":"\#(source)""#)
            #expect(refused.status == 403, "\(refused)")
            #expect(refused.body.contains(#""code":"other_source""#), "\(refused)")
        }
        // The control: a person of the group who may read is told.
        let person = try server.token(
            "eva",
            "--group",
            "17",
            "--scope",
            "edit",
            "--scope",
            "read"
        )
        let told = try read(3, at: "08:30:00", person)
        #expect(told.body.contains("odometer_backwards"), "\(told)")
        #expect(told.body.contains("66666"), "\(told)")
        // Nor does she take the name under which another group decides, before it has decided.
        let taken = try read(4, at: "11:00:00", person, #","source":"manual/18""#)
        #expect(taken.status == 403, "\(taken)")
        #expect(taken.body.contains(#""code":"other_source""#), "\(taken)")
        // Nor one that nothing came from yet, which would be of her group then.
        let new = try read(5, at: "12:00:00", person, #","source":"next-phone""#)
        #expect(new.status == 403 && new.body.contains(#""code":"other_source""#), "\(new)")
        let known = try read(66_667, at: "12:00:00", person, #","source":"phone-17""#)
        #expect(known.status == 200, "\(known)")
    }

    @Test(arguments: ["/v1/trips?group=", "/v1/totals?group=", "/v1/reports/log?year=2025&group="])
    func `an empty name asks for what is of no group`(path: String) throws {
        let server = try ServedLedger()
        let box = try Self.token("box-17", of: "17", in: server)
        #expect(try server.post(Self.data(Self.drive), box).status == 200)
        let later = Self.drive.replacingOccurrences(of: "T08:", with: "T09:")
        let own = "Authorization: Bearer \(try server.token("own", "--source", "own"))"
        #expect(try server.post(Self.data(later), own).status == 200)
        let reader = try server.token("reader", "--scope", "read", "--scope", "audit")
        let answer = try server.get(path, "Authorization: Bearer \(reader)")
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.body.contains(#""trips":1"#) || answer.body.contains("own"))
        #expect(!answer.body.contains("box-17") && !answer.body.contains("2025-03-03T08:"))
    }

    @Test func `a source of another group is refused`() throws {
        let server = try ServedLedger()
        let first = try Self.token("first", of: "17", in: server)
        #expect(try server.post(Self.data(Self.drive), first).status == 200)
        let token = try server.token("second", "--group", "18", "--source", "first")
        let press = Self.press("go_pressed", "10:00:00")
        let answer = try server.post(Self.data(press), "Authorization: Bearer \(token)")
        #expect(answer.body.contains(#""code":"other_group""#), "\(answer)")
        #expect(answer.body.contains("a source keeps the group of its first event"), "\(answer)")
    }

    @Test func `devices and refused items are told within their group alone`() throws {
        let server = try ServedLedger()
        func deliver(_ token: String, _ latitude: String, _ time: Int) throws {
            let body =
                #"{"_type":"location","lat":\#(latitude),"lon":4.3,"acc":5,"tst":\#(time)}"#
            let answer = try server.post(
                Self.data(body),
                as: "application/json",
                to: "/in/\(token)/owntracks"
            )
            #expect(answer.status == 200, "\(answer)")
        }
        func told(_ path: String, _ token: String) throws -> String {
            let answer = try server.get(path, "Authorization: Bearer \(token)")
            #expect(answer.status == 200, "\(path): \(answer)")
            return answer.body
        }
        let phone = try server.token("phone")
        try deliver(phone, "51.9", 1_795_159_860)
        try deliver(phone, "91.5", 1_795_159_861)
        // They name the source as the owner does. One has the name of a revoked one.
        let former = try server.token("box", "--group", "18", "--source", "phone")
        try deliver(former, "93.5", 1_795_159_862)
        #expect(try server.process.run("token", "revoke", "box").exitCode == 0)
        let box = try server.token("box", "--group", "17", "--source", "phone")
        try deliver(box, "92.5", 1_795_159_863)
        let anna = try server.token("anna", "--source", "phone", "--scope", "read")
        let fleet = try server.token("fleet", "--group", "17", "--scope", "read")
        let all = try server.token("all", "--scope", "read")
        let devices = try [anna, fleet, all].map { try told("/v1/devices", $0) }
        #expect(devices[0].contains(#""token":"phone""#), "\(devices[0])")
        #expect(!devices[0].contains(#""token":"box""#), "\(devices[0])")
        #expect(devices[1].contains(#""token":"box""#), "\(devices[1])")
        #expect(!devices[1].contains(#""token":"phone""#), "\(devices[1])")
        // The rules that the owner's source was given, and how it records, are not its.
        #expect(devices[1].contains(#""recording":null"#), "\(devices[1])")
        #expect(devices[1].contains(#""adopted_preset":null"#), "\(devices[1])")
        #expect(devices[1].contains(#""deliveries":1"#), "\(devices[1])")
        #expect(devices[0].contains(#""adopted_preset":"history""#), "\(devices[0])")
        #expect(devices[2].contains("box") && devices[2].contains("phone"), "\(devices[2])")
        let refused = try [anna, fleet, all].map { try told("/v1/refused", $0) }
        #expect(refused[0].contains("91.5") && !refused[0].contains("92.5"), "\(refused[0])")
        #expect(refused[1].contains("92.5") && !refused[1].contains("91.5"), "\(refused[1])")
        // A token of its name was of another group before.
        for body in [refused[0], refused[1]] { #expect(!body.contains("93.5"), "\(body)") }
        #expect(["91.5", "92.5", "93.5"].allSatisfy(refused[2].contains), "\(refused[2])")
    }

    @Test func `a token of a group sees its trips and the owner's settings, and no others`() throws
    {
        let server = try ServedLedger()
        let first = try Self.token("box-17", of: "17", in: server)
        let second = try Self.token("box-18", of: "18", in: server)
        #expect(try server.post(Self.data(Self.drive), first).status == 200)
        let later = Self.drive.replacingOccurrences(of: "T08:", with: "T09:")
        #expect(try server.post(Self.data(later), second).status == 200)
        for (group, latitude) in [
            ([], "51.93"), (["--group", "17"], "51.92"), (["--group", "18"], "51.91"),
        ] {
            let save = ["place", "save", "Home", "--lat", latitude, "--lon", "4.3"]
            #expect(try server.process.run(save + group).exitCode == 0)
        }
        let trips = try server.get("/v1/trips", first).body
        #expect(trips.contains(#""group":"17""#) && !trips.contains(#""group":"18""#), "\(trips)")
        // A parameter of the request is no way around that.
        let asked = try server.get("/v1/trips?group=18", first).body
        #expect(!asked.contains(#""group":"18""#), "\(asked)")
        let totals = try server.get("/v1/totals?by=source", first).body
        #expect(totals.contains("box-17") && !totals.contains("box-18"), "\(totals)")
        let places = try server.get("/v1/places", first).body
        #expect(places.contains(#""lat":51.93"#) && places.contains(#""lat":51.92"#), "\(places)")
        #expect(!places.contains(#""lat":51.91"#), "\(places)")
        let all = try server.process.run("trips", "--format", "json").lines
        let ids = all.compactMap { $0.firstMatch(of: /"id":"([0-9a-f]{32})"/)?.1 }
        let statuses = try ids.map { try server.get("/v1/trips/\($0)", first).status }.sorted()
        #expect(statuses == [200, 404])
        for path in ["/v1/status", "/v1/inbox", "/v1/changes", "/v1/visits"] {
            let answer = try server.get(path, first)
            #expect(answer.status == 200 && !answer.body.contains("box-18"), "\(path): \(answer)")
        }
        for path in ["/v1/log", "/v1/reports/log", "/api/v1/events"] {
            #expect(try server.get(path, first).status == 403, "\(path)")
        }
    }
}
