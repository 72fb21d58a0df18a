/// How a chart is drawn.
package enum ChartFormat: String, CaseIterable, Sendable {
    /// In characters, for the terminal.
    case text

    /// As a picture: SVG 1.1, which is self-contained.
    case svg
}
