extension QRMatrix {
    /// How hard the code is to read: the mask with the least is used (ISO/IEC 18004, 7.8.3).
    var penalty: Int {
        let columns = modules.indices.map { column in modules.map { $0[column] } }
        return (modules + columns).reduce(0) { $0 + Self.runs(in: $1) + Self.finders(in: $1) }
            + blocks + imbalance
    }

    /// Five modules of one colour in a row cost 3, and each further one 1.
    private static func runs(in line: [Bool]) -> Int {
        var penalty = 0
        var length = 0
        for (index, module) in line.enumerated() {
            length = index > 0 && module == line[index - 1] ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// What looks like a finder pattern, with four light modules on a side, costs 40.
    private static func finders(in line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        let patterns = [finder + light, light + finder]
        let width = finder.count + light.count
        guard line.count >= width else { return 0 }
        return (0...line.count - width)
            .reduce(0) { penalty, start in
                let part = Array(line[start..<start + width])
                return penalty + (patterns.contains(part) ? 40 : 0)
            }
    }

    /// Each square of four modules of one colour costs 3.
    private var blocks: Int {
        var penalty = 0
        for row in 1..<modules.count {
            for column in 1..<modules.count {
                let module = modules[row][column]
                if modules[row - 1][column] == module, modules[row][column - 1] == module,
                    modules[row - 1][column - 1] == module
                {
                    penalty += 3
                }
            }
        }
        return penalty
    }

    /// Each 5% by which dark modules are more or fewer than half cost 10.
    private var imbalance: Int {
        let total = modules.count * modules.count
        let dark = modules.joined().count(where: \.self)
        return abs(20 * dark - 10 * total) / total * 10
    }
}
