/// A sheet of paper.
///
/// Lengths are points, 72 to the inch.
package struct Paper: Hashable, Sendable {
    /// How wide it is.
    package let width: Double

    /// How high it is.
    package let height: Double

    /// Creates a sheet.
    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// A4 (ISO 216: 210 × 297 mm), upright.
    package static let a4 = Paper(width: millimeters(210), height: millimeters(297))

    /// Letter (ANSI A: 8.5 × 11 inches), upright.
    package static let letter = Paper(width: 612, height: 792)

    /// The same sheet, turned by a right angle.
    package var turned: Paper { Paper(width: height, height: width) }

    /// Returns a length in points.
    package static func millimeters(_ millimeters: Double) -> Double { millimeters / 25.4 * 72 }
}
