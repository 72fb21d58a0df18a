/// A place in the repository where a rule of the house is broken.
struct Finding: Hashable, CustomStringConvertible {
    /// The file, relative to the repository.
    let path: String

    /// The line, one-based; 0 if the finding is about the file as a whole.
    let line: Int

    /// What is wrong.
    let message: String

    var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}
