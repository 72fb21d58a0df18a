import Projections

/// What can be simulated.
enum SituationList {
    /// Writes the list.
    static func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text, .csv:
            let facts = SimulatedSituation.all.map { (label: $0.name, fact: $0.summary) }
            try output.write(FactSheet(facts).text)
        case .json:
            for situation in SimulatedSituation.all {
                var json = RowJSON()
                json.add("scenario", text: situation.name)
                json.add("summary", text: situation.summary)
                try output.writeLine(json.object)
            }
        }
    }
}
