import Projections
import TripEvents
import TripLedger
import TripTracking

/// The tracking rules of a source.
struct ShownRules {
    private let inForce: SourceRules

    init(_ inForce: SourceRules) {
        self.inForce = inForce
    }

    /// For people, a rule on a line.
    var text: String {
        let rules = inForce.rules
        let facts = [
            ("source", inForce.source.map(Excerpt.escaped) ?? "(new sources)"),
            ("rules", rules.name.rawValue),
        ]
        let values = TrackingParameter.allCases.map { parameter in
            (parameter.rawValue, Self.text(rules.value(of: parameter)))
        }
        return FactSheet(facts + values).text
    }

    /// For programs (`rules.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("source", text: inForce.source)
        json.add("rules", text: inForce.rules.name.rawValue)
        json.add("preset", text: inForce.rules.preset.rawValue)
        json.add("parameters") { parameters in
            for parameter in TrackingParameter.allCases {
                switch inForce.rules.value(of: parameter) {
                case .number(let number): parameters.add(parameter.rawValue, double: number)
                case .choice(let choice): parameters.add(parameter.rawValue, boolean: choice)
                }
            }
        }
        return json
    }

    private static func text(_ value: TrackingRuleValue) -> String {
        switch value {
        case .number(let number): "\(number)"
        case .choice(let choice): choice ? "true" : "false"
        }
    }
}
