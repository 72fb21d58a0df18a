import CPango
import Papers

extension Canvas {
    /// Tags everything that is drawn until the `end` of the same name, for screen readers.
    ///
    /// The names are those of PDF 32000-1, 14.8.4; in images they have no effect.
    func begin(_ tag: String) {
        // The context lives as long as this object; Cairo copies the name.
        unsafe cairo_tag_begin(context, tag, nil)
    }

    func end(_ tag: String) {
        // The context lives as long as this object.
        unsafe cairo_tag_end(context, tag)
    }

    /// Draws something whose left upper corner is at a place, enlarged.
    func place(left: Double, top: Double, scale: Double = 1, _ draw: () -> Void) {
        // The context lives as long as this object.
        unsafe cairo_save(context)
        unsafe cairo_translate(context, left, top)
        unsafe cairo_scale(context, scale, scale)
        draw()
        unsafe cairo_restore(context)
    }

    /// Draws some lines of a row whose left upper corner is the place.
    ///
    /// The tags apply to the texts in order, and start again at the end; an empty list sets none.
    func draw(_ row: SetRow, lines: Range<Int>, tags: [String] = [], with setter: TextSetter) {
        for (cell, text) in row.texts.enumerated() {
            let tag = tags.isEmpty ? nil : tags[cell % tags.count]
            if let tag { begin(tag) }
            if !text.isEmpty {
                set(row.columns[cell].ink)
                // The context lives as long as this object.
                unsafe setter.draw(row, cell: cell, lines: lines, on: context)
            }
            if let tag { end(tag) }
        }
    }

    /// Draws a stamp whose left upper corner is the place.
    func draw(_ stamp: Stamp) {
        // Cairo takes a reference of its own to the surface, and this object's context is alive.
        unsafe cairo_set_source_surface(context, stamp.surface, 0, 0)
        unsafe cairo_paint(context)
    }

    /// Draws a level line from the place to the right.
    func drawRule(at y: Double, width: Double, weight: Double, _ ink: Color) {
        set(ink)
        // The context lives as long as this object; no dash is left from the line before.
        unsafe cairo_set_dash(context, [], 0, 0)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
        unsafe cairo_set_line_width(context, weight)
        unsafe cairo_move_to(context, 0, y)
        unsafe cairo_line_to(context, width, y)
        unsafe cairo_stroke(context)
    }

    /// Draws the dark fields of a code; the left upper corner of the first is the place.
    ///
    /// All are one area, so that no seams are seen between them.
    func draw(fields code: [[Bool]], size: Double) {
        // Pure black, for cameras. The context lives as long as this object.
        set(Color(red: 0, green: 0, blue: 0))
        for (y, row) in code.enumerated() {
            var x = 0
            while x < row.count {
                let end = row[x...].firstIndex { $0 != row[x] } ?? row.count
                if row[x] {
                    let (left, top) = (Double(x) * size, Double(y) * size)
                    unsafe cairo_rectangle(context, left, top, Double(end - x) * size, size)
                }
                x = end
            }
        }
        unsafe cairo_fill(context)
    }
}
