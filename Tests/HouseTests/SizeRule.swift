/// Files, functions and lines stay short enough to be read at once.
struct SizeRule: HouseRule {
    private let fileLines = 400
    private let functionLines = 60
    private let lineColumns = 100

    func findings(in source: SwiftSource) -> [Finding] {
        var findings = longLines(source.lines, path: source.path)
        for lines in FunctionBodies.lines(of: source) where lines.count > functionLines {
            findings.append(source.finding(lines.lowerBound, "a function of \(lines.count) lines"))
        }
        return findings
    }

    /// Returns what is too long in a file, whatever its language.
    func longLines(_ lines: [String], path: String) -> [Finding] {
        var findings: [Finding] = []
        if lines.count > fileLines {
            findings.append(Finding(path: path, line: 0, message: "\(lines.count) lines"))
        }
        for (index, line) in lines.enumerated()
        where line.utf8.count > lineColumns && line.count > lineColumns {
            let message = "\(line.count) columns"
            findings.append(Finding(path: path, line: index + 1, message: message))
        }
        return findings
    }
}
