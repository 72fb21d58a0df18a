/// The repository works on any machine: no path of one that happened to be at hand.
enum MachinePathRule {
    private static let roots: Set = ["home", "root", "work", "farm", "Users", "opt", "mnt"]

    /// Returns the absolute paths in a text that begin with a directory of some machine.
    static func findings(in text: String, path: String) -> [Finding] {
        SwiftSource.lines(of: Array(text.utf8)).enumerated()
            .flatMap { index, line in
                directories(in: Array(line.utf8))
                    .map {
                        Finding(
                            path: path,
                            line: index + 1,
                            message: "a path of one machine: /\($0)"
                        )
                    }
            }
    }

    private static func directories(in line: [UInt8]) -> [String] {
        line.indices.compactMap { index in
            guard line[index] == UInt8(ascii: "/"), index == 0 || !goesOn(after: line[index - 1])
            else { return nil }
            let rest = line[(index + 1)...]
            let name = String(decoding: rest.prefix(while: isName), as: UTF8.self)
            let isDirectory = rest.drop(while: isName).first == UInt8(ascii: "/")
            return isDirectory && roots.contains(name) ? name : nil
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default:
            false
        }
    }

    /// Whether a slash after this byte goes on with a path: `a/b`, `~/b`, `$(…)/b`, `*/b`.
    private static func goesOn(after byte: UInt8) -> Bool {
        isName(byte) || "~)}*".utf8.contains(byte)
    }
}
