import ArgumentParser
import DriveSimulation

/// What `ledger simulate` can simulate.
enum SimulatedSituation: Hashable, ExpressibleByArgument {
    /// One named situation.
    case scenario(Scenario)

    /// Any number of long drives.
    case bulk

    /// Everything there is, in the order of the list.
    static let all = Scenario.allCases.map { SimulatedSituation.scenario($0) } + [.bulk]

    /// Finds the situation with a name.
    init?(argument: String) {
        guard let found = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = found
    }

    /// What it is called.
    var name: String {
        switch self {
        case .scenario(let scenario): scenario.rawValue
        case .bulk: "bulk"
        }
    }

    /// What happens, in one sentence.
    var summary: String {
        switch self {
        case .scenario(let scenario): scenario.summary
        case .bulk: "Long drives one after the other, with a fix every second: --drives, --fixes."
        }
    }

    static var allValueStrings: [String] { all.map(\.name) }
}
