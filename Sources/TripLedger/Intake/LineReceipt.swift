/// The answer to one line of input.
public struct LineReceipt: Hashable, Sendable {
    /// The file's name, `-` for standard input.
    public var file: String

    /// The line's number, from 1.
    public var line: Int

    /// The answer.
    public var receipt: Receipt

    /// The beginning of the line, for showing beside a rejection; escaped and shortened.
    public var excerpt: String

    /// Creates an answer.
    public init(file: String, line: Int, receipt: Receipt, excerpt: String = "") {
        self.file = file
        self.line = line
        self.receipt = receipt
        self.excerpt = excerpt
    }
}
