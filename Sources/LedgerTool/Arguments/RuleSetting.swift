import ArgumentParser
import TripEvents

/// A tracking rule with its new value, as in `silence_seconds=300`.
struct RuleSetting: ExpressibleByArgument {
    /// The rule's name.
    let name: String

    /// The new value.
    let value: CustomValue

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        name = parts[0]
        switch parts[1] {
        case "true": value = .boolean(true)
        case "false": value = .boolean(false)
        default:
            guard let number = ExactDecimal(literal: parts[1]) else { return nil }
            value = .number(number)
        }
    }
}
