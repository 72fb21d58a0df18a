import CPango

/// A drawing that is shown on many pages: a PDF file contains it only once.
///
/// A code has a thousand fields, which would take half the bytes of a page of a log. A class,
/// because it owns the drawing and releases it.
// Safe to use: only `Canvas` sees the surface, and it lives as long as the object.
@safe final class Stamp {
    // Cairo's recording, which only this object has; it is destroyed once, in `deinit`.
    let surface: OpaquePointer

    /// Records what is drawn within a size in points.
    init(width: Double, height: Double, _ draw: (Canvas) -> Void) {
        var extents = cairo_rectangle_t(x: 0, y: 0, width: width, height: height)
        // Cairo copies the extents, and on failure returns a surface that draws nothing instead of
        // null.
        unsafe surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
        draw(unsafe Canvas(surface, scale: 1))
    }

    deinit {
        // Files that show it have references of their own.
        unsafe cairo_surface_destroy(surface)
    }
}
