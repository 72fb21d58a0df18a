import CPango

/// A drawing that stands on many pages: a file of PDF has it once.
///
/// A code has a thousand fields, which would be half of a page of a log. A class, for it owns the
/// drawing and lets it go when it ends.
// Safe to use: only `Canvas` sees the surface, and it lives as long as the object.
@safe final class Stamp {
    // Cairo's recording, which this object alone has; it is destroyed once, in `deinit`.
    let surface: OpaquePointer

    /// Records what is drawn within a size in points.
    init(width: Double, height: Double, _ draw: (Canvas) -> Void) {
        var extents = cairo_rectangle_t(x: 0, y: 0, width: width, height: height)
        // Cairo copies the extents and never returns null, but a surface that draws nothing.
        unsafe surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
        draw(unsafe Canvas(surface, scale: 1))
    }

    deinit {
        // Files that show it have references of their own.
        unsafe cairo_surface_destroy(surface)
    }
}
