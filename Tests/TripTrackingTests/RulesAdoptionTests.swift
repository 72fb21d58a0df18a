import Testing
import TripEvents
import TripTracking

@Suite struct RulesAdoptionTests {
    private func adopted(
        preset: String? = nil,
        appliesTo: String? = nil,
        _ parameters: CustomFields? = nil
    ) -> RulesAdopted {
        RulesAdopted(preset: preset, appliesTo: appliesTo, parameters: parameters)
    }

    @Test func `a preset is a set of rules`() {
        #expect(TrackingRules(.v1) == .v1)
        for preset in TrackingPreset.allCases {
            let rules = TrackingRules.v1.adopting(adopted(preset: preset.rawValue), for: "phone")
            #expect(rules == TrackingRules(.v1, preset: preset))
            #expect(rules.startsByMotion)
            #expect(rules.startsByMovement == (preset != .phone))
            #expect(rules.silenceMilliseconds == (preset == .logger ? 120_000 : 600_000))
        }
    }

    @Test func `rules for another source change nothing`() {
        let logger = adopted(preset: "logger", appliesTo: "obd")
        #expect(TrackingRules.v1.adopting(logger, for: "phone") == .v1)
        #expect(TrackingRules.v1.adopting(logger, for: "obd").preset == .logger)
    }

    @Test func `every rule can be set, within its range only`() throws {
        let original = TrackingRules(.v1)
        for parameter in TrackingParameter.allCases {
            let values: [CustomValue]
            let outside: [CustomValue]
            if let range = parameter.range {
                values = try [range.lowerBound, range.upperBound]
                    .map { bound in
                        .number(try #require(ExactDecimal(literal: "\(bound)")))
                    }
                outside =
                    try [range.lowerBound - 0.5, range.upperBound + 1]
                    .map { bound in
                        .number(try #require(ExactDecimal(literal: "\(bound)")))
                    } + [.boolean(true), .null]
            } else {
                values = [.boolean(true), .boolean(false)]
                outside = [.null, .text("true")]
            }
            let results = values.map { value in
                original.adopting(adopted([parameter.rawValue: value]), for: "phone")
            }
            #expect(results[0] != results[1], "\(parameter)")
            for value in outside {
                let rules = original.adopting(adopted([parameter.rawValue: value]), for: "phone")
                #expect(rules == original, "\(parameter)")
            }
        }
    }

    @Test func `the name says what was changed`() throws {
        let silence: CustomFields = ["silence_seconds": .number(90)]
        let names: [(RulesAdopted, String)] = [
            (adopted(), "v1"), (adopted(preset: "history"), "v1/history"),
            (adopted(preset: "logger", silence), "v1/logger+custom"),
            (adopted(silence), "v1+custom"),
        ]
        for (adopted, name) in names {
            let rules = TrackingRules.v1.adopting(adopted, for: "phone")
            #expect(rules.name.rawValue == name)
            #expect(RulesName(rawValue: name) == rules.name)
        }
        for name in ["", "v2", "v1/", "v1/phone", "v1/logger/", "v1+", "v1+custom+custom"] {
            #expect(RulesName(rawValue: name) == nil, "\(name)")
        }
    }

    @Test func `a trip keeps the rules that it started with`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        drive.press(.rulesAdopted(adopted(preset: "logger")), at: 1)
        try drive.report(.fix(2, north: 0, .accepted))
        drive.press(.stopPressed(StopPressed()), at: 9)
        drive.press(.goPressed(GoPressed()), at: 20)
        try drive.report(.fix(21, north: 0, .accepted))
        drive.press(.stopPressed(StopPressed()), at: 29)
        #expect(drive.ended.map(\.rules.rawValue) == ["v1", "v1/logger"])
    }
}
