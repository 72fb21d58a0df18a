import Foundation

/// Measures the memory that some work takes at most, though other tests run in the same process.
public enum PeakMemory {
    /// Other work of the process can only add to what is measured: so many times it is tried.
    private static let tries = 8

    /// Does some work again and again until it takes little memory.
    ///
    /// - Parameters:
    ///   - bytes: The most that it may take, in bytes.
    ///   - work: The work, which can be repeated.
    /// - Returns: The least growth of the process at its highest during the work, in bytes; `nil`
    ///   if the system does not tell it.
    /// - Throws: What the work throws.
    public static func growth(until bytes: Int, of work: () throws -> Void) throws -> Int? {
        var least: Int?
        for _ in 0..<tries {
            guard reset(), let before = kibibytes(of: "VmRSS") else {
                try work()
                return nil
            }
            try work()
            guard let most = kibibytes(of: "VmHWM") else { return nil }
            let growth = max(0, most - before) << 10
            least = min(least ?? growth, growth)
            if growth <= bytes { break }
        }
        return least
    }

    /// Lets the highest memory so far be that of now.
    private static func reset() -> Bool {
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
        defer { try? file.close() }
        do {
            try file.write(contentsOf: Data("5".utf8))
            return true
        } catch {
            return false
        }
    }

    private static func kibibytes(of name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
            return nil
        }
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first
            .flatMap { Int($0.filter(\.isNumber)) }
    }
}
