import Foundation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// A request for a report is the same value at every door, and what is not known is refused by its
/// name.
@Suite struct ReportRequestTests {
    private static func request(_ json: String) throws(ReportProblem) -> ReportRequest {
        try ReportRequest(json: Array(json.utf8))
    }

    /// Returns why a request is refused.
    private static func problem(_ json: String) -> ReportProblem? {
        do throws(ReportProblem) {
            try request(json).check()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ReportKind.allCases, Seeds.fresh(4))
    func `a request comes back the same from JSON, from a query and from an issued report`(
        kind: ReportKind,
        seed: UInt64
    ) throws {
        var random = RandomRequests(seed: seed)
        for _ in 0..<50 {
            var request = random.request(kind)
            let text = String(decoding: request.json, as: UTF8.self)
            try request.check()
            #expect(try Self.request(text) == request, "seed \(seed): \(text)")
            #expect(try Self.request(" \n" + text + "\n") == request, "seed \(seed): \(text)")

            var asked = ReportRequest(kind)
            for member in request.members.dropFirst(2) {
                let parameter = try #require(ReportParameter(rawValue: member.name))
                if case .boolean(false) = member.value {
                    asked[parameter] = .flag(false)
                } else if case .boolean = member.value {
                    try asked.say(parameter, reading: "yes")
                } else if case .number(let literal) = member.value {
                    try asked.say(parameter, reading: literal)
                } else {
                    try asked.say(parameter, reading: try #require(member.value.text))
                }
            }
            #expect(asked == request, "seed \(seed): \(text)")

            // An issued report has its days as a first and a last one.
            let said = request.days()
            let days = try #require(said.first)...(try #require(said.last))
            (request.year, request.month, request.day) = (nil, nil, nil)
            request.from = AskedDays(days.lowerBound)
            request.to = AskedDays(days.upperBound)
            let head = LedgerHead(size: 7, root: String(repeating: "0", count: 64))
            let issued = ReportIssued(request, on: days, outputHash: head.root, head: head)
            if kind != .methods { #expect(try ReportRequest(of: issued) == request, "\(text)") }
        }
    }

    @Test func `every accepted example is a request, and every refused one is none`() throws {
        for example in try JSONSchemaValidator.examples(of: "report-request", "accepted") {
            let request = try Self.request(example)
            try request.check()
            #expect(try ReportRequest(json: request.json) == request)
        }
        let refused = try JSONSchemaValidator.examples(of: "report-request", "refused")
        #expect(refused.count > 5)
        for example in refused { #expect(Self.problem(example) != nil, "\(example)") }
    }

    @Test(
        arguments: [
            (
                #"{"version":1,"report":"log","vehicel":"van"}"#, "vehicel",
                "Did you mean 'vehicle'?"
            ),
            (#"{"version":1,"report":"lgo"}"#, "report", "Did you mean 'log'?"),
            (#"{"version":1,"report":"summary","sums":true}"#, "sums", "no member 'sums'"),
            (#"{"version":1,"report":"log","output":"x"}"#, "output", "no part of a request"),
            (#"{"version":1,"report":"log","wide":true}"#, "wide", "no part of a request"),
            (
                #"{"version":1,"report":"log","class":"busness"}"#, "class",
                "Did you mean 'business'?"
            ),
            (#"{"version":1,"report":"log","sums":"yes"}"#, "sums", "true or false"),
            (#"{"version":1,"report":"log","vehicle":null}"#, "vehicle", "must be a text"),
            (#"{"version":1,"report":"log","year":25}"#, "year", "Did you mean 2025?"),
            (#"{"version":1,"report":"log","year":2025.0}"#, "year", "a whole number"),
            (#"{"version":1,"report":"log","month":"2025"}"#, "month", "a month"),
            (#"{"version":2,"report":"log"}"#, "version", "has version 2"),
            (#"{"version":"1","report":"log"}"#, "version", "has version 1"),
            (#"{"version":1,"report":"claim","jurisdiction":"us"}"#, "year", "Say which days"),
            (#"{"version":1,"report":"log","year":2025,"day":"2025-01-01"}"#, "day", "use one"),
            (#"{"version":1,"report":"claim","day":"2025-01-01","from":"2025"}"#, "day", "use one"),
            (#"{"version":1,"report":"log","from":"2025","to":"2024"}"#, "to", "is before from"),
            (#"{"version":1,"report":"log","sums":true,"columns":"trip"}"#, "columns", "sums"),
            (#"{"version":1,"report":"log","excel":"comma","format":"pdf"}"#, "excel", "is CSV"),
        ]
    )
    func `what is wrong is named, and what may have been meant`(
        json: String,
        member: String,
        words: String
    ) throws {
        let problem = try #require(Self.problem(json))
        #expect(problem.members.contains(member), "\(problem)")
        let sentence = problem.sentence(at: .request)
        #expect(sentence.contains(words), "\(sentence)")
        #expect(!sentence.contains("--"), "an option in what a request is told: \(sentence)")
    }

    @Test func `what the settings of the ledger do not say either is missing`() throws {
        for report in ["claim", "methods"] {
            let request = try Self.request(#"{"version":1,"report":"\#(report)","year":2025}"#)
            try request.check()
            #expect(throws: ReportProblem.missing(.jurisdiction)) { try request.checkComplete() }
            var complete = request
            complete.jurisdiction = "de"
            try complete.checkComplete()
        }
        var years = ReportRequest(.methods)
        (years.jurisdiction, years.from, years.to) = ("de", AskedDays("2024"), AskedDays("2025"))
        #expect(throws: ReportProblem.notOneTaxYear) { try years.checkComplete() }
    }

    @Test func `JSON that is not a request is refused as such`() {
        for json in [
            "", "[]", "7", "{}", #"{"report":"log"}"#, #"{"version":1}"#, "{\"version\":1",
        ] {
            let problem = Self.problem(json)
            guard case .notARequest? = problem else {
                Issue.record("\(json): \(String(describing: problem))")
                continue
            }
        }
    }

    @Test func `of every parameter it is said whether a byte depends on it`() {
        for kind in ReportKind.allCases {
            #expect(kind.parameters.allSatisfy { $0.effect == .bytes }, "\(kind)")
            #expect(Set(kind.parameters).count == kind.parameters.count, "\(kind)")
            #expect(Set(kind.required).isSubset(of: kind.parameters), "\(kind)")
        }
        let used = Set(ReportKind.allCases.flatMap(\.parameters))
        #expect(used == Set(ReportParameter.allCases.filter { $0.effect == .bytes }))
        for parameter in ReportParameter.allCases {
            #expect(!parameter.meaning.hasSuffix("."), "\(parameter)")
            let option = parameter.name(at: .commandLine)
            #expect(option == "--" + parameter.rawValue.replacing("_", with: "-"))
        }
    }

    @Test func `the schema has the parameters of each report, in their forms`() throws {
        let data = try Data(contentsOf: JSONSchemaValidator.file(of: "report-request"))
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        let material = ReportParameter.allCases.filter { $0.effect == .bytes }
        #expect(Set(properties.keys) == Set(material.map(\.rawValue) + ["version", "report"]))
        let version = try #require(properties["version"]?["const"] as? Int)
        #expect(version == Int(ReportRequest.version))
        let reports = try #require(properties["report"]?["enum"] as? [String])
        #expect(reports == ReportKind.allCases.map(\.rawValue))
        let conditions = try #require(schema["allOf"] as? [[String: [String: Any]]])
        #expect(conditions.count == ReportKind.allCases.count)
        for (kind, condition) in zip(ReportKind.allCases, conditions) {
            let names = (condition["then"]?["propertyNames"] as? [String: Any])?["enum"]
            let listed = Set(try #require(names as? [String]))
            #expect(listed == Set(kind.parameters.map(\.rawValue) + ["version", "report"]))
            for parameter in kind.parameters {
                let property = try #require(properties[parameter.rawValue])
                switch parameter.form(in: kind) {
                case .word(let words) where parameter != .jurisdiction:
                    #expect(property["enum"] as? [String] == words, "\(parameter)")
                case .number(let range):
                    #expect(property["minimum"] as? Int == Int(range.lowerBound), "\(parameter)")
                    #expect(property["maximum"] as? Int == Int(range.upperBound), "\(parameter)")
                case .flag: #expect(property["type"] as? String == "boolean", "\(parameter)")
                case .word, .text, .day, .days, .month, .instant, .zone, .group, .columns:
                    continue
                }
            }
        }
    }

    @Test func `days are read as people say them, and written the same`() throws {
        for (text, first, last) in [
            ("2024-02", "2024-02-01", "2024-02-29"), ("2025", "2025-01-01", "2025-12-31"),
            ("2025-03-14", "2025-03-14", "2025-03-14"),
        ] {
            let days = try #require(AskedDays(text))
            #expect((days.first.description, days.last.description) == (first, last))
            #expect(days.text == text)
        }
        for text in ["25", "2025-13", "2025-02-30", "2025-3", "last", ""] {
            #expect(AskedDays(text) == nil, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("America/New_York", nil, nil, .letter), ("America/Indiana/Knox", nil, nil, .letter),
            ("Canada/Pacific", nil, nil, .letter), ("America/Sao_Paulo", nil, nil, .a4),
            ("Europe/Berlin", nil, nil, .a4), ("Europe/Berlin", "us", nil, .letter),
            ("America/New_York", "nl", nil, .a4), ("America/New_York", "us", "de", .a4),
            ("America/New_York", nil, "nl", .a4),
        ] as [(String, String?, String?, PaperSize)]
    )
    func `paper is that of the jurisdiction, of the country, or else of the time zone`(
        zone: String,
        country: String?,
        jurisdiction: String?,
        paper: PaperSize
    ) {
        var defaults = ReportDefaults(
            timeZone: zone,
            units: .miles,
            setsUnits: false,
            language: .en,
            country: country
        )
        #expect(defaults.paper(of: jurisdiction) == paper)
        defaults.paper = .a4
        #expect(defaults.paper(of: jurisdiction) == .a4)
    }
}
