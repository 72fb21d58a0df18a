/// A word of a command that a person is to type.
package enum ShellWord {
    /// Returns a word as the shell reads it: in quotes unless it is plain.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
        if isPlain, !word.isEmpty { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    /// Returns an option with its value: `--ledger book`, or `--ledger=-car`, because after a blank
    /// a value that begins with a hyphen would be taken for another option.
    package static func option(_ name: String, _ value: String) -> String {
        name + (value.hasPrefix("-") ? "=" : " ") + quoted(value)
    }
}
