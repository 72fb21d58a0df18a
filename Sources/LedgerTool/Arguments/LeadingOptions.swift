/// Lets options that every command has stand before the command's name too.
enum LeadingOptions {
    private static let names = ["--ledger", "--format"]

    /// Returns the arguments with such options moved behind the command's name:
    /// `--ledger book trips` becomes `trips --ledger book`.
    static func behindSubcommand(_ arguments: [String]) -> [String] {
        var index = 0
        while index < arguments.count {
            if names.contains(arguments[index]) {
                index += 2
            } else if names.contains(where: { arguments[index].hasPrefix($0 + "=") }) {
                index += 1
            } else {
                break
            }
        }
        guard index < arguments.count, !arguments[index].hasPrefix("-") else { return arguments }
        return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
    }
}
