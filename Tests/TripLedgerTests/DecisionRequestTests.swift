import Foundation
import LedgerTestSupport
import Projections
import TestSupport
import Testing

@testable import TripLedger

/// Decisions as JSON: what is asked for comes back the same, and nothing else is taken.
@Suite struct DecisionRequestTests {
    /// 2026-03-15T00:00:00Z.
    private static let now = Timestamp(milliseconds: 1_773_532_800_000)

    private static func request(_ json: String) throws(Rejection) -> DecisionRequest {
        try DecisionRequest(json: Array(json.utf8), now: now)
    }

    private static func json(_ request: DecisionRequest) -> String {
        var bytes: [UInt8] = []
        request.appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `every accepted example is a decision, and comes back the same`() throws {
        var kinds: Set<EventKind> = []
        for example in try JSONSchemaValidator.examples(of: "decision", "accepted") {
            let request = try Self.request(example)
            let again = try Self.request(Self.json(request))
            #expect(again == request, "\(example)\n\(Self.json(request))")
            kinds.insert(request.decision.kind)
        }
        #expect(kinds == Set(EventKind.allCases.filter(\.isAskable)))
    }

    @Test func `a member that may be null is taken as null wherever it may be left out`() throws {
        let schema = try Self.object(Data(contentsOf: JSONSchemaValidator.file(of: "decision")))
        let forms = try #require(schema["$defs"] as? [String: [String: Any]])
        var tried = 0
        for example in try JSONSchemaValidator.examples(of: "decision", "accepted") {
            let decision = try Self.object(Data(example.utf8))
            let type = try #require(decision["type"] as? String)
            let form = try #require(forms[type])
            let members = try #require(form["properties"] as? [String: [String: Any]])
            for (name, value) in members where decision[name] == nil && Self.mayBeNull(value) {
                // Null takes the driver back, which has to say of which source.
                guard (type, name) != ("settings_changed", "driver") else { continue }
                let said = #"{"\#(name)":null,"# + example.dropFirst()
                #expect(throws: Never.self, "\(said)") { _ = try Self.request(said) }
                tried += 1
            }
        }
        #expect(tried > 200)
    }

    private static func object(_ text: Data) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: text)
        return try #require(value as? [String: Any])
    }

    /// Whether a schema takes null.
    private static func mayBeNull(_ schema: [String: Any]) -> Bool {
        let types = schema["type"] as? [String] ?? []
        let words = schema["enum"] as? [Any] ?? []
        let forms = schema["anyOf"] as? [[String: Any]] ?? []
        return types.contains("null") || words.contains { $0 is NSNull }
            || forms.contains { $0["type"] as? String == "null" }
    }

    @Test func `every refused example is refused with the code in its name`() throws {
        let folder = JSONSchemaValidator.file(of: "decision").deletingLastPathComponent()
            .appendingPathComponent("examples/decision/refused")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        #expect(files.count > 10)
        for file in files {
            let name = file.deletingPathExtension().lastPathComponent
            do throws(Rejection) {
                let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                _ = try Self.request(text.trimmingCharacters(in: .newlines))
                Issue.record("\(name) was taken")
            } catch {
                #expect(name.hasPrefix(error.code.rawValue + "--"), "\(name): \(error)")
                #expect(error.column == nil)
            }
        }
    }

    @Test func `rates that would be mistaken for the program's are no decision`() throws {
        func rates(_ table: String, _ id: String) -> String {
            let row =
                #"{"id":"\#(id)","jurisdiction":"us","scheme":"own_rate","classes":["business"],"#
                + #""from":"2025-01-01","known_from":"2025-01-01","currency":"USD","unit":"mi","#
                + #""year_begins":"01-01","shape":"flat","rate":"7.00","confidence":"own"}"#
            let text = row.replacing("\"", with: "\\\"")
            let hash = String(repeating: "0", count: 64)
            return #"{"type":"rates_loaded","table":"\#(table)","rates":["\#(text)"],"#
                + #""content_hash":"\#(hash)"}"#
        }
        #expect(try Self.request(rates("mine", "us.mine")).decision.kind == .ratesLoaded)
        for (table, id) in [
            ("us", "us.mine"), ("mine", "us.standard_mileage.business.2025-01-01"),
        ] {
            do throws(Rejection) {
                _ = try Self.request(rates(table, id))
                Issue.record("\(table), \(id) was taken")
            } catch {
                #expect(error.code == .invalidValue && error.field == "rates", "\(error)")
            }
        }
    }

    @Test func `members that a request leaves out stay unset`() throws {
        let place = try Self.request(#"{"type":"place_saved","place":"Home","skip":null}"#)
        #expect(place.decision == .savePlace("Home", PlaceEdit()))
        #expect(place.time == nil && place.source == nil && place.actor == nil)
        let reading = try Self.request(#"{"type":"odometer_read","vehicle":"van","value":7}"#)
        #expect(reading.decision == .readOdometer(vehicle: "van", 7, nil))
        let routine = try Self.request(
            #"{"type":"routine_saved","routine":"Office","days":["mon"]}"#
        )
        var edit = PatternEdit()
        edit.pattern.days = [.monday]
        #expect(routine.decision == .saveRoutine("Office", TripDetails(), edit))
        let cleared = try Self.request(#"{"type":"details_edited","trip":"last","notes":null}"#)
        var details = TripEdit()
        details.notes = .cleared
        #expect(cleared.decision == .edit(.last, details))
        let unlabelled = try Self.request(#"{"type":"place_saved","place":"Home","label":null}"#)
        var unnamed = PlaceEdit()
        unnamed.label = .cleared
        #expect(unlabelled.decision == .savePlace("Home", unnamed))
    }

    @Test func `what is null of a vehicle is taken away, and the rest stays`() throws {
        let book = try TemporaryLedger()
        let van = VehicleRegistered(vehicle: "van", plate: "V-1", model: "V70", engine: 1_984)
        _ = try book.decide(.registerVehicle(van))
        let json = #"{"type":"vehicle_registered","vehicle":"van","plate":null,"engine_cc":null,"#
        let request = try Self.request(json + #""make":"Volvo"}"#)
        #expect(try Self.request(Self.json(request)) == request)
        _ = try book.decide(request.decision)
        let known = try book.ledger.read { try $0.vehicles().vehicle(named: "van") }
        let left = VehicleRegistered(vehicle: "van", make: "Volvo", model: "V70")
        #expect(known?.registration == left)
    }

    @Test func `times are taken as people say them`() throws {
        let texts = [
            (#""08:45""#, TripTime.clock("08:45:00")),
            (#""2026-03-14T08:45""#, .local("2026-03-14T08:45:00")),
            (
                #""2026-03-14T08:45:00Z""#,
                .instant(EventTime(Timestamp(milliseconds: 1_773_477_900_000)))
            ),
            ("1773477900000", .instant(EventTime(Timestamp(milliseconds: 1_773_477_900_000)))),
        ]
        for (text, time) in texts {
            let request = try Self.request(
                #"{"type":"trip_split","trip":"6C1F","split_at":\#(text)}"#
            )
            #expect(request.decision == .split(.prefix("6c1f"), at: time))
        }
    }

    @Test func `a sequence and a second spelling of a member are refused`() throws {
        for (member, code) in [
            (#""sequence":7"#, RejectionCode.unknownField), (#""Why":"x""#, .unknownField),
            (#""trip":"last""#, .duplicateKey),
        ] {
            do throws(Rejection) {
                _ = try Self.request(#"{"type":"trip_restored","trip":"last",\#(member)}"#)
                Issue.record("\(member) was taken")
            } catch {
                #expect(error.code == code)
            }
        }
    }
}
