import Foundation
import TestSupport
import Testing

/// A real drive with what an independent program found about it.
struct SharedTrace: Decodable, CustomTestStringConvertible {
    /// Its name.
    var id: String

    /// Its file in the shared data.
    var file: String

    private var lengths: [String: Double?]

    private enum CodingKeys: String, CodingKey {
        case id, file
        case lengths = "oracle_m"
    }

    /// The length in metres by the same rules, with gaps counted as straight lines.
    var lengthWithGapsMeters: Double? { lengths["seed_rules_anchor_holds"] ?? nil }

    var testDescription: String { id }

    /// Every drive with a GO and a STOP; none without shared data.
    static let drives: [SharedTrace] = {
        guard let index = try? SharedData.data("traces/index.json"),
            let traces = try? JSONDecoder().decode([SharedTrace].self, from: index)
        else { return [] }
        return traces.filter { $0.id != "nds_history" }
    }()
}
