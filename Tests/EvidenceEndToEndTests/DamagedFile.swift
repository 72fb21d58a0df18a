import DriveSimulation
import Foundation

/// Ways in which a data file is damaged.
enum DamagedFile: CaseIterable {
    case zeroedPages, flippedBits, swappedPages, noMetaPages, oneMetaPage, cut, garbled, repeated

    private static let pageBytes = 4_096

    /// Returns a damaged copy of a data file.
    func damaged(_ sound: Data, using random: inout SplitMix64) -> Data {
        var data = sound
        let pages = data.count / Self.pageBytes
        let count = Int.random(in: 1...6, using: &random)
        switch self {
        case .zeroedPages:
            for _ in 0..<count { Self.zero(.random(in: 0..<pages, using: &random), of: &data) }
        case .flippedBits:
            for _ in 0..<count * 8 {
                let place = Int.random(in: 0..<data.count, using: &random)
                data[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
        case .swappedPages:
            for _ in 0..<count {
                let one = Self.range(.random(in: 0..<pages, using: &random))
                let other = Self.range(.random(in: 0..<pages, using: &random))
                let kept = data.subdata(in: one)
                data.replaceSubrange(one, with: data.subdata(in: other))
                data.replaceSubrange(other, with: kept)
            }
        case .noMetaPages:
            Self.zero(0, of: &data)
            Self.zero(1, of: &data)
        case .oneMetaPage: Self.zero(.random(in: 0...1, using: &random), of: &data)
        case .cut: data = data.prefix(.random(in: 0..<data.count, using: &random))
        case .garbled:
            let start = Int.random(in: 0..<data.count, using: &random)
            for place in start..<min(data.count, start + 9_000) {
                data[place] = UInt8.random(in: 0...255, using: &random)
            }
        case .repeated:
            // A page again in the place of others: blocks that say that they belong elsewhere.
            let page = data.subdata(in: Self.range(.random(in: 0..<pages, using: &random)))
            for _ in 0..<count {
                data.replaceSubrange(Self.range(.random(in: 0..<pages, using: &random)), with: page)
            }
        }
        return data
    }

    private static func range(_ page: Int) -> Range<Int> {
        page * pageBytes..<(page + 1) * pageBytes
    }

    private static func zero(_ page: Int, of data: inout Data) {
        data.replaceSubrange(range(page), with: Data(count: pageBytes))
    }
}
