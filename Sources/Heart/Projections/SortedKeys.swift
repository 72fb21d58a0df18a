/// Keys in ascending order, kept in short runs: putting one in its place moves few others.
package struct SortedKeys: Sendable {
    /// A run of more keys than this is cut in two.
    private static let mostInRun = 512

    /// The runs in order; none is empty.
    private var runs: [[[UInt8]]] = []

    /// Creates no keys.
    package init() {}

    /// All keys in order.
    package var all: FlattenSequence<[[[UInt8]]]> { runs.joined() }

    /// Puts a key in its place, unless it is there.
    package mutating func insert(_ key: [UInt8]) {
        guard !runs.isEmpty else {
            runs = [[key]]
            return
        }
        let run = self.run(of: key)
        let index = Self.index(ofFirstNotBefore: key, in: runs[run])
        if index < runs[run].count, runs[run][index] == key { return }
        runs[run].insert(key, at: index)
        guard runs[run].count > Self.mostInRun else { return }
        // Keys mostly come in order: then the first part stays nearly full.
        let isLast = run == runs.count - 1 && index == runs[run].count - 1
        let cut = isLast ? Self.mostInRun : Self.mostInRun / 2
        let rest = Array(runs[run][cut...])
        runs[run].removeSubrange(cut...)
        runs.insert(rest, at: run + 1)
    }

    /// Takes a key away, if it is there.
    package mutating func remove(_ key: [UInt8]) {
        guard !runs.isEmpty else { return }
        let run = self.run(of: key)
        let index = Self.index(ofFirstNotBefore: key, in: runs[run])
        guard index < runs[run].count, runs[run][index] == key else { return }
        runs[run].remove(at: index)
        if runs[run].isEmpty { runs.remove(at: run) }
    }

    /// Hands over the keys from `from` on and before `upTo`, until `body` returns `false`.
    package func forEach(in keys: KeyRange, isDescending: Bool, _ body: ([UInt8]) -> Bool) {
        guard !runs.isEmpty else { return }
        if isDescending {
            descend(in: keys, body)
        } else {
            ascend(in: keys, body)
        }
    }

    private func ascend(in keys: KeyRange, _ body: ([UInt8]) -> Bool) {
        var run = self.run(of: keys.from)
        var index = Self.index(ofFirstNotBefore: keys.from, in: runs[run])
        while run < runs.count {
            while index < runs[run].count {
                let key = runs[run][index]
                guard key.lexicographicallyPrecedes(keys.upTo), body(key) else { return }
                index += 1
            }
            run += 1
            index = 0
        }
    }

    private func descend(in keys: KeyRange, _ body: ([UInt8]) -> Bool) {
        var run = self.run(of: keys.upTo)
        var end = Self.index(ofFirstNotBefore: keys.upTo, in: runs[run])
        while true {
            while end > 0 {
                let key = runs[run][end - 1]
                guard !key.lexicographicallyPrecedes(keys.from), body(key) else { return }
                end -= 1
            }
            guard run > 0 else { return }
            run -= 1
            end = runs[run].count
        }
    }

    /// Returns the last run that begins with a key or before it; the first if all begin after it.
    private func run(of key: [UInt8]) -> Int {
        var range = 0..<runs.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if key.lexicographicallyPrecedes(runs[middle][0]) {
                range = range.lowerBound..<middle
            } else {
                range = middle + 1..<range.upperBound
            }
        }
        return max(0, range.lowerBound - 1)
    }

    private static func index(ofFirstNotBefore key: [UInt8], in run: [[UInt8]]) -> Int {
        var range = 0..<run.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if run[middle].lexicographicallyPrecedes(key) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}

/// Keys of rows from one up to another.
public struct KeyRange: Hashable, Sendable {
    /// The first key.
    public var from: [UInt8]

    /// The first key that is too large.
    public var upTo: [UInt8]

    /// Creates a range.
    public init(from: [UInt8], upTo: [UInt8]) {
        self.from = from
        self.upTo = upTo
    }

    /// Creates the range of all keys that begin with a prefix, which MUST have a byte below 255.
    public init(prefix: [UInt8]) {
        from = prefix
        upTo = prefix
        while let last = upTo.popLast() {
            guard last < .max else { continue }
            upTo.append(last + 1)
            break
        }
    }
}
