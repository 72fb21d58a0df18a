import DriveSimulation
import Papers
import TestSupport
import Testing

/// Texts that are shortened where there is little room.
@Suite struct TextWidthTests {
    private static let letters = Array("aiMW é漢…, -")

    @Test(arguments: Seeds.fresh(20))
    func `what is shortened in the middle fits, and keeps both ends`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random))
                    .compactMap { _ in Self.letters.randomElement(using: &random) }
            )
            let width = Double.random(in: 12...300, using: &random)
            let shown = TextWidth.fittingEnds(text, size: 12, into: width)
            #expect(TextWidth.estimate(shown) * 12 <= width + 1e-6, "seed \(seed): \(text)")
            guard shown != text else { continue }
            let parts = (0..<shown.count)
                .map { (shown.prefix($0), shown.dropFirst($0)) }
                .filter { $0.1.first == "…" }
            #expect(
                parts.contains { text.hasPrefix($0.0) && text.hasSuffix($0.1.dropFirst()) },
                "seed \(seed): \(text) → \(shown)"
            )
        }
    }

    @Test func `a title keeps its distance, and a name its beginning`() {
        let title = "2025-03-03 08:30, Büro Weber GmbH, Äußere Straße 5 – Zuhause, 12.3 km"
        let shown = TextWidth.fittingEnds(title, size: 12, into: 200)
        #expect(shown.hasPrefix("2025-03-03") && shown.hasSuffix("12.3 km"))
        #expect(TextWidth.fittingEnds("Zuhause", size: 12, into: 200) == "Zuhause")
    }
}
