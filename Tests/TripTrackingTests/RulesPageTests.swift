import Foundation
import Testing
import TripEvents
import TripTracking

/// The page about the rules says what the rules are.
@Suite struct RulesPageTests {
    private let page: String

    init() throws {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/Ledger/TripLedger/TripLedger.docc/Rules.md")
        page = try String(contentsOf: file, encoding: .utf8)
    }

    @Test(arguments: TrackingParameter.allCases)
    func `the page says a rule's default and range`(parameter: TrackingParameter) {
        let value: String
        switch TrackingRules.v1.value(of: parameter) {
        case .number(let number): value = Self.text(number)
        case .choice(let choice): value = "\(choice)"
        }
        let range = parameter.range
            .map { "\(Self.text($0.lowerBound))…\(Self.text($0.upperBound))" }
        let row = "| `\(parameter.rawValue)` | \(value) | \(range ?? "true or false") | "
        #expect(page.contains(row), "\(row)")
    }

    @Test(arguments: Verdict.allCases)
    func `the page has every verdict`(verdict: Verdict) {
        #expect(page.contains("`\(verdict.rawValue)`"))
    }

    @Test(arguments: TrackingPreset.allCases)
    func `the page says in which rules a preset differs`(preset: TrackingPreset) {
        let rules = TrackingRules(.v1, preset: preset)
        let differing = TrackingParameter.allCases
            .filter { rules.value(of: $0) != TrackingRules.v1.value(of: $0) }
        #expect(page.contains("`\(preset.rawValue)`"))
        let expected: [TrackingPreset: [TrackingParameter]] = [
            .phone: [], .history: [.startsByMovement], .logger: [.startsByMovement, .silence],
        ]
        #expect(differing == expected[preset])
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
