import CPango

/// The look of a text, apart from its colour.
struct TextStyle: Hashable {
    /// Its size in points.
    let size: Double
    let isBold: Bool

    init(_ size: Double, bold isBold: Bool = false) {
        self.size = size
        self.isBold = isBold
    }
}

/// How much room a text takes, in points.
struct TextExtent {
    /// The width of its widest line.
    var width = 0.0
    var lineCount = 1

    /// How far its highest line goes above the line of writing, and its lowest below it.
    var ascent = 0.0
    var descent = 0.0
}

/// Sets text with Pango, which finds letters for any script and breaks lines.
///
/// Letters are not fitted to pixels, so widths grow with the size: a text is measured once for all
/// sizes. A class, because it owns Pango's context and releases it.
// Safe to use: nothing hands the context out, and it lives as long as the object.
@safe final class TextSetter {
    /// The size at which texts are measured.
    private static let measured = 10.0

    /// The most that rounding may add up to in a line, in points.
    private static let tolerance = 0.05

    // It belongs to this object, and to the layouts that hold on to it; let go once, in `deinit`.
    private let context: OpaquePointer
    private let measuring: TextLayout

    /// A layout for each column in which text is drawn: what is drawn over many pages is laid once.
    private var drawing: [TextLayout] = []

    /// The extents of texts in one line, at the size `measured`.
    private var known: [TextStyle: [String: TextExtent]] = [:]

    /// Sets texts of a language (BCP 47), which decides between forms of letters.
    init(language: String) {
        // The map of fonts is Pango's own; the options are copied by the context.
        unsafe context = pango_font_map_create_context(pango_cairo_font_map_get_default())
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_round_glyph_positions(context, 0)
        unsafe pango_context_set_language(context, pango_language_from_string(language))
        unsafe measuring = TextLayout(context)
    }

    deinit {
        // Nothing else of ours has it.
        unsafe g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// Checks that there is a font; without one, pages would be full of boxes.
    ///
    /// - Throws: `PrintError` if there is none.
    func checkFonts() throws(PrintError) {
        measuring.lay("A", TextStyle(Self.measured), width: nil)
        guard measuring.hasAllLetters else {
            throw PrintError(
                "no font is installed that has letters; install DejaVu Sans (fonts-dejavu-core)"
            )
        }
    }

    /// Whether the machine has the font that makes files the same everywhere.
    var hasFirstFont: Bool {
        // This function releases the requested description, the found font and its description.
        guard let wanted = unsafe pango_font_description_from_string(FontFamilies.first) else {
            return false
        }
        defer { unsafe pango_font_description_free(wanted) }
        guard let font = unsafe pango_context_load_font(context, wanted) else { return false }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(font)) }
        guard let found = unsafe pango_font_describe(font) else { return false }
        defer { unsafe pango_font_description_free(found) }
        guard let family = unsafe pango_font_description_get_family(found) else { return false }
        return unsafe String(cString: family) == FontFamilies.first
    }

    /// Returns how much room a text takes in one line, if it has no line breaks of its own.
    func extent(_ text: String, _ style: TextStyle) -> TextExtent {
        let base = TextStyle(Self.measured, bold: style.isBold)
        let extent: TextExtent
        if let found = known[base]?[text] {
            extent = found
        } else {
            extent = measure(text, base, width: nil)
            known[base, default: [:]][text] = extent
        }
        let scale = style.size / Self.measured
        return TextExtent(
            width: extent.width * scale,
            lineCount: extent.lineCount,
            ascent: extent.ascent * scale,
            descent: extent.descent * scale
        )
    }

    /// Returns how much room a text takes in lines that are no wider than a width.
    func extent(_ text: String, _ style: TextStyle, width: Double) -> TextExtent {
        let natural = extent(text, style)
        if natural.width <= width + Self.tolerance { return natural }
        return measure(text, style, width: width)
    }

    /// Returns the width of the widest word of a text.
    func wordWidth(_ text: String, _ style: TextStyle) -> Double {
        // Pango breaks where a script allows it, which for some is not at spaces.
        let words = text.split { $0.isWhitespace && $0 != "\u{A0}" }
        guard words.count > 1 else { return extent(text, style).width }
        return words.reduce(0) { max($0, extent(String($1), style).width) }
    }

    /// Returns the width of the widest part of a text in which no line may end: a word, or a part
    /// of one up to its next hyphen, soft or not, with that hyphen.
    func partWidth(_ text: String, _ style: TextStyle) -> Double {
        var widest = 0.0
        for word in text.split(whereSeparator: { $0.isWhitespace && $0 != "\u{A0}" }) {
            let parts = word.split { $0 == "\u{AD}" || $0 == "-" }
            for (index, part) in parts.enumerated() {
                let isLast = index + 1 == parts.count
                widest = max(widest, extent(isLast ? String(part) : "\(part)-", style).width)
            }
        }
        return widest
    }

    /// Draws some lines of a cell of a row whose left upper corner is the origin.
    ///
    /// The context of Cairo stays the caller's.
    func draw(_ row: SetRow, cell: Int, lines: Range<Int>, on cairo: OpaquePointer) {
        let (text, column) = (row.texts[cell], row.columns[cell])
        // The context lives as long as this object.
        while drawing.count <= cell { unsafe drawing.append(TextLayout(context)) }
        let layout = drawing[cell]
        let isWhole = extent(text, row.style).width <= column.width + Self.tolerance
        layout.lay(text, row.style, width: isWhole ? nil : column.width + Self.tolerance)
        layout.forEachLine(in: lines) { number, line in
            // Lines of Arabic or Hebrew begin at the right border.
            let isAtEnd = column.isRight || line.isRightToLeft
            let x = column.left + (isAtEnd ? column.width - line.width : 0)
            let y = row.baseline + Double(number - lines.lowerBound) * row.lineHeight
            // The caller's context and the layout's line are alive.
            unsafe cairo_move_to(cairo, x, y)
            unsafe pango_cairo_show_layout_line(cairo, line.pointer)
        }
    }

    private func measure(_ text: String, _ style: TextStyle, width: Double?) -> TextExtent {
        guard !text.isEmpty else { return TextExtent() }
        measuring.lay(text, style, width: width.map { $0 + Self.tolerance })
        var extent = TextExtent(lineCount: 0)
        measuring.forEachLine { _, line in
            extent.lineCount += 1
            extent.width = max(extent.width, line.width)
            extent.ascent = max(extent.ascent, line.ascent)
            extent.descent = max(extent.descent, line.descent)
        }
        return extent
    }
}
