extension StringProtocol {
    /// Splits a text at an ASCII character, whatever follows that: a combining mark would make
    /// another `Character` of it.
    func parts(separatedBy separator: Unicode.Scalar, atMost count: Int) -> [Substring] {
        Substring(self).unicodeScalars
            .split(separator: separator, maxSplits: count - 1, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
