import CPango
import Papers

/// Draws pages with Cairo and sets words with Pango, which finds letters for any script.
///
/// A class, because it owns the context and releases it.
// Safe to use: only its own extensions use the context, and it lives as long as the object.
@safe final class Canvas {
    // Cairo's context, which only this object has; it is destroyed once, in `deinit`.
    let context: OpaquePointer

    /// Draws on a surface, which stays the caller's.
    init(_ surface: OpaquePointer, scale: Double) {
        // Cairo takes a reference of its own to the surface.
        unsafe context = cairo_create(surface)
        unsafe cairo_scale(context, scale, scale)
    }

    deinit {
        // Nothing else has the context.
        unsafe cairo_destroy(context)
    }

    /// Draws a page.
    func draw(_ page: Page) {
        for layer in page.layers {
            // The context lives as long as this object.
            unsafe cairo_save(context)
            if let clip = layer.clip {
                unsafe cairo_rectangle(
                    context,
                    clip.origin.x,
                    clip.origin.y,
                    clip.width,
                    clip.height
                )
                unsafe cairo_clip(context)
            }
            for item in layer.items {
                switch item {
                case .path(let path): draw(path)
                case .mark(let mark): draw(mark)
                case .label(let label): draw(label)
                }
            }
            unsafe cairo_restore(context)
        }
    }

    /// Ends a page of a document.
    func endPage() {
        // The context lives as long as this object.
        unsafe cairo_show_page(context)
    }

    /// Says whether everything could be drawn.
    ///
    /// - Throws: `PrintError` with Cairo's reason.
    func check() throws(PrintError) {
        // The context lives as long as this object.
        try PrintError.check(unsafe cairo_status(context))
    }

    /// Makes everything white.
    func paintPaper() {
        set(Color(red: 1, green: 1, blue: 1))
        // The context lives as long as this object.
        unsafe cairo_paint(context)
    }

    /// Sets the colour of what is drawn next.
    func set(_ color: Color, opacity: Double = 1) {
        // The context lives as long as this object.
        unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, opacity)
    }

    /// Sets the colour that an ink has on white paper.
    private func set(_ ink: Ink, opacity: Double = 1) {
        guard case .color(let color) = ink else {
            preconditionFailure("a picture that was read has colours without a role")
        }
        set(color, opacity: opacity)
    }

    private func draw(_ path: Path) {
        // The context lives as long as this object; the dash is copied by Cairo.
        unsafe cairo_new_path(context)
        for line in path.lines {
            guard let first = line.first else { continue }
            unsafe cairo_move_to(context, first.x, first.y)
            for point in line.dropFirst() { unsafe cairo_line_to(context, point.x, point.y) }
            if line.count == 1 { unsafe cairo_line_to(context, first.x, first.y) }
            if path.fill != nil { unsafe cairo_close_path(context) }
        }
        if let fill = path.fill {
            set(fill, opacity: path.opacity)
            unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
            unsafe cairo_fill_preserve(context)
        }
        if let stroke = path.stroke {
            set(stroke, opacity: path.opacity)
            unsafe cairo_set_line_width(context, path.width)
            unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
            unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            let dashes = path.dash.map { [$0] } ?? []
            unsafe cairo_set_dash(context, dashes, CInt(dashes.count), 0)
            unsafe cairo_stroke_preserve(context)
        }
        unsafe cairo_new_path(context)
    }

    private func draw(_ mark: Mark) {
        let (x, y, r) = (mark.at.x, mark.at.y, mark.radius)
        // The context lives as long as this object; no dash is left from the line before.
        unsafe cairo_set_dash(context, [], 0, 0)
        unsafe cairo_new_path(context)
        switch mark.shape {
        case .square: unsafe cairo_rectangle(context, x - r, y - r, 2 * r, 2 * r)
        case .cross:
            unsafe cairo_move_to(context, x - r, y - r)
            unsafe cairo_line_to(context, x + r, y + r)
            unsafe cairo_move_to(context, x + r, y - r)
            unsafe cairo_line_to(context, x - r, y + r)
        case .disc, .ring: unsafe cairo_arc(context, x, y, r, 0, 2 * .pi)
        }
        set(mark.ink)
        if mark.shape == .disc || mark.shape == .square {
            unsafe cairo_fill_preserve(context)
            set(Color(red: 1, green: 1, blue: 1))
        }
        unsafe cairo_set_line_width(context, 1.5)
        unsafe cairo_stroke(context)
    }

    private func draw(_ label: Label) {
        // Layout and description are made, used and released here; Pango copies the text.
        let layout = unsafe pango_cairo_create_layout(context)
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
        let description = unsafe pango_font_description_new()
        defer { unsafe pango_font_description_free(description) }
        unsafe pango_font_description_set_family(description, FontFamilies.list)
        unsafe pango_font_description_set_absolute_size(
            description,
            label.size * Double(PANGO_SCALE)
        )
        let weight = label.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL
        unsafe pango_font_description_set_weight(description, weight)
        unsafe pango_layout_set_font_description(layout, description)
        unsafe pango_layout_set_text(layout, label.text, -1)
        unsafe pango_layout_set_single_paragraph_mode(layout, 1)
        var (width, height): (CInt, CInt) = (0, 0)
        unsafe pango_layout_get_size(layout, &width, &height)
        let share =
            switch label.anchor {
            case .start: 0.0
            case .middle: 0.5
            case .end: 1.0
            }
        let unit = Double(PANGO_SCALE)
        let base = unsafe Double(pango_layout_get_baseline(layout)) / unit
        let x = label.base.x - share * Double(width) / unit
        unsafe cairo_move_to(context, x, label.base.y - base)
        if let halo = label.halo {
            unsafe pango_cairo_layout_path(context, layout)
            set(halo)
            unsafe cairo_set_dash(context, [], 0, 0)
            unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            unsafe cairo_set_line_width(context, 3)
            unsafe cairo_stroke(context)
            unsafe cairo_move_to(context, x, label.base.y - base)
        }
        set(label.ink)
        unsafe pango_cairo_show_layout(context, layout)
    }
}
