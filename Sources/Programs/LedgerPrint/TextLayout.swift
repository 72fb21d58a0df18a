import CPango

/// The fonts of all that is printed.
enum FontFamilies {
    /// Tried in this order; letters that are missing in the first are looked up in the others.
    ///
    /// The first one comes with the packages that `tools/setup` installs and has all European
    /// letters, so that other fonts of a machine change no file.
    static let list = "\(first), sans-serif"

    /// The first of them.
    static let first = "DejaVu Sans"
}

/// A text that Pango has laid in lines.
///
/// A class, because it owns the layout and releases it.
// Safe to use: lines are lent only while they stay as they are.
@safe final class TextLayout {
    /// A line as it is laid; lengths are points.
    // Safe to use within `forEachLine`, which lends it.
    @safe struct Line {
        // The layout's line.
        let pointer: UnsafeMutablePointer<PangoLayoutLine>
        let width: Double

        /// How far it goes above and below the line of writing.
        let ascent: Double
        let descent: Double

        /// Whether it begins at the right, as Arabic and Hebrew do.
        let isRightToLeft: Bool

        fileprivate init(_ pointer: UnsafeMutablePointer<PangoLayoutLine>) {
            // The caller's line is alive.
            unsafe self.pointer = pointer
            var box = PangoRectangle()
            unsafe pango_layout_line_get_extents(pointer, nil, &box)
            width = Double(box.width) / TextLayout.unit
            ascent = -Double(box.y) / TextLayout.unit
            descent = Double(box.y + box.height) / TextLayout.unit
            let direction = unsafe pango_layout_line_get_resolved_direction(pointer)
            isRightToLeft = direction == PANGO_DIRECTION_RTL
        }
    }

    /// Digits of the same width, which stand below one another, and no ligatures where a script can
    /// do without: programs that read a page aloud stumble over them.
    private static let features = "tnum=1, liga=0, clig=0"

    private static let unit = Double(PANGO_SCALE)

    // The layout, which this object alone has; it is let go once, in `deinit`.
    private let layout: OpaquePointer

    /// The style of the current text.
    private var style: TextStyle?
    private var text: String?
    private var width: Double?

    /// Creates a layout that looks up letters in a context of Pango's.
    init(_ context: OpaquePointer) {
        // The layout takes references of its own to the context and the list, which takes the
        // attribute.
        unsafe layout = pango_layout_new(context)
        let attributes = unsafe pango_attr_list_new()
        unsafe pango_attr_list_insert(attributes, pango_attr_font_features_new(Self.features))
        unsafe pango_layout_set_attributes(layout, attributes)
        unsafe pango_attr_list_unref(attributes)
        unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    }

    deinit {
        // Nothing else has it.
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// Lays a text in lines that are no wider than a width; `nil` breaks none.
    func lay(_ text: String, _ style: TextStyle, width: Double?) {
        guard text != self.text || style != self.style || width != self.width else { return }
        if style != self.style { set(style) }
        (self.text, self.style, self.width) = (text, style, width)
        // Pango copies the text.
        let lineWidth = width.map { CInt(max(1, $0 * Self.unit)) } ?? -1
        unsafe pango_layout_set_width(layout, lineWidth)
        unsafe pango_layout_set_text(layout, text, -1)
    }

    /// Whether the fonts have every letter of the text; missing letters are drawn as boxes.
    var hasAllLetters: Bool {
        // The layout lives as long as this object.
        unsafe pango_layout_get_unknown_glyphs_count(layout) == 0
    }

    /// Lends the lines, or some of them, with their numbers.
    func forEachLine(in range: Range<Int> = 0..<Int.max, _ body: (Int, Line) -> Void) {
        // The lines are the layout's, which does not change meanwhile.
        var node = unsafe pango_layout_get_lines_readonly(layout)
        var number = 0
        while number < range.upperBound, let link = unsafe node, let data = unsafe link.pointee.data
        {
            if number >= range.lowerBound {
                body(number, unsafe Line(data.assumingMemoryBound(to: PangoLayoutLine.self)))
            }
            unsafe node = link.pointee.next
            number += 1
        }
    }

    private func set(_ style: TextStyle) {
        // The description is made, copied by the layout and let go here.
        let description = unsafe pango_font_description_new()
        unsafe pango_font_description_set_family(description, FontFamilies.list)
        let weight = style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL
        unsafe pango_font_description_set_weight(description, weight)
        unsafe pango_font_description_set_absolute_size(description, style.size * Self.unit)
        unsafe pango_layout_set_font_description(layout, description)
        unsafe pango_font_description_free(description)
    }
}
