/// The square of modules while it is drawn.
struct QRMatrix {
    /// The modules, row by row; dark ones are `true`.
    private(set) var modules: [[Bool]]

    /// Whether each module has a function and holds no data.
    private var isFunctional: [[Bool]]

    private let version: QRVersion

    private var side: Int { version.side }

    /// Draws everything but the data and the format.
    init(_ version: QRVersion) {
        self.version = version
        let row = [Bool](repeating: false, count: version.side)
        modules = Array(repeating: row, count: version.side)
        isFunctional = modules
        for index in 0..<side {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        for (row, column) in [(3, 3), (3, side - 4), (side - 4, 3)] { drawFinder(row, column) }
        let centres = version.alignmentCentres
        for row in centres {
            for column in centres where !isFinder(row, column) { drawAlignment(row, column) }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    /// Draws codewords under a mask, and the format that names it.
    mutating func draw(_ codewords: [UInt8], mask: Int) {
        drawFormat(mask: mask)
        var bit = 0
        var isUpward = true
        for right in stride(from: side - 1, through: 1, by: -2) {
            // The column of the timing pattern holds no data.
            let pair = right <= 6 ? right - 1 : right
            for step in 0..<side {
                let row = isUpward ? side - 1 - step : step
                for column in [pair, pair - 1] where !isFunctional[row][column] {
                    let isDark =
                        bit < 8 * codewords.count
                        && codewords[bit >> 3] >> UInt8(7 - bit & 7) & 1 == 1
                    modules[row][column] = isDark != Self.isInverted(row, column, mask: mask)
                    bit += 1
                }
            }
            isUpward.toggle()
        }
    }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        modules[row][column] = isDark
        isFunctional[row][column] = true
    }

    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for down in -4...4 {
            for across in -4...4 {
                let distance = max(abs(down), abs(across))
                let place = (row + down, column + across)
                guard modules.indices.contains(place.0), modules.indices.contains(place.1) else {
                    continue
                }
                set(place.0, place.1, distance != 2 && distance != 4)
            }
        }
    }

    /// Whether an alignment pattern would be where a finder pattern is.
    private func isFinder(_ row: Int, _ column: Int) -> Bool {
        let far = side - 7
        return row == 6 && (column == 6 || column == far) || row == far && column == 6
    }

    private mutating func drawAlignment(_ row: Int, _ column: Int) {
        for down in -2...2 {
            for across in -2...2 {
                set(row + down, column + across, max(abs(down), abs(across)) != 1)
            }
        }
    }

    /// Level M is 00; the code is BCH(15, 5), masked so that it is never all light.
    private mutating func drawFormat(mask: Int) {
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        func isDark(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
        for bit in 0..<6 { set(bit, 8, isDark(bit)) }
        set(7, 8, isDark(6))
        set(8, 8, isDark(7))
        set(8, 7, isDark(8))
        for bit in 9..<15 { set(8, 14 - bit, isDark(bit)) }
        for bit in 0..<8 { set(8, side - 1 - bit, isDark(bit)) }
        for bit in 8..<15 { set(side - 15 + bit, 8, isDark(bit)) }
        set(side - 8, 8, true)
    }

    /// From version 7 on, the version's number stands twice in the code, as BCH(18, 6).
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var remainder = version.number
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version.number << 12 | remainder
        for bit in 0..<18 {
            let isDark = bits >> bit & 1 == 1
            let (far, near) = (side - 11 + bit % 3, bit / 3)
            set(near, far, isDark)
            set(far, near, isDark)
        }
    }

    private static func isInverted(_ row: Int, _ column: Int, mask: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}

extension QRMatrix {
    /// How hard the code is to read: the mask with the least is used (ISO/IEC 18004, 7.8.3).
    var penalty: Int {
        let columns = modules.indices.map { column in modules.map { $0[column] } }
        return (modules + columns).reduce(0) { $0 + Self.penalty(of: $1) } + blocks + imbalance
    }

    /// A finder pattern with four light modules behind it and before it, a bit for each module.
    private static let finders = [0b101_1101_0000, 0b000_0101_1101]

    /// The number of modules of these.
    private static let finderWidth = 11

    /// The penalty of a row or a column.
    ///
    /// Five modules of one colour in a row cost 3, and each further one 1. Anything that looks like
    /// a finder pattern with four light modules on a side costs 40.
    private static func penalty(of line: [Bool]) -> Int {
        var penalty = 0
        var length = 0
        var last = false
        var window = 0
        var count = 0
        for module in line {
            length = count > 0 && module == last ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
            window = (window << 1 | (module ? 1 : 0)) & ((1 << finderWidth) - 1)
            count += 1
            if count >= finderWidth, window == finders[0] || window == finders[1] { penalty += 40 }
            last = module
        }
        return penalty
    }

    /// Each square of four modules of one colour costs 3.
    private var blocks: Int {
        var penalty = 0
        for (above, row) in zip(modules, modules.dropFirst()) {
            for column in 1..<row.count {
                let module = row[column]
                if row[column - 1] == module, above[column] == module,
                    above[column - 1] == module
                {
                    penalty += 3
                }
            }
        }
        return penalty
    }

    /// The penalty is 10 for each 5% by which dark modules are more or fewer than half.
    private var imbalance: Int {
        let total = modules.count * modules.count
        let dark = modules.joined().count(where: \.self)
        return abs(20 * dark - 10 * total) / total * 10
    }
}
