import CPango

/// A picture as a file of a kind.
enum PictureFile {
    /// Pixels of PNG for each CSS pixel: sharp on the screens of today, and in print.
    private static let scale = 2.0

    /// PDF counts in points, 72 to the inch, and CSS in pixels, 96 to the inch.
    private static let pointsPerPixel = 0.75

    /// Returns the first page as PNG.
    static func png(_ picture: PrintedPicture) throws(PrintError) -> [UInt8] {
        let page = picture.pages[0]
        // The surface is destroyed here, after the canvas.
        let surface = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_RGB24,
            CInt((page.width * scale).rounded(.up)),
            CInt((page.height * scale).rounded(.up))
        )
        guard let surface = unsafe surface else { throw PrintError("there is no memory") }
        defer { unsafe cairo_surface_destroy(surface) }
        let canvas = unsafe Canvas(surface, scale: scale)
        canvas.paintPaper()
        canvas.draw(page)
        let output = OutputBytes()
        let status = unsafe cairo_surface_write_to_png_stream(
            surface,
            OutputBytes.take,
            output.pointer
        )
        try check(status)
        return output.bytes
    }

    /// Returns all pages as PDF.
    static func pdf(_ picture: PrintedPicture) throws(PrintError) -> [UInt8] {
        let output = OutputBytes()
        let first = picture.pages[0]
        // The surface is finished and destroyed here, before `output` is read.
        let surface = unsafe cairo_pdf_surface_create_for_stream(
            OutputBytes.take,
            output.pointer,
            first.width * pointsPerPixel,
            first.height * pointsPerPixel
        )
        guard let surface = unsafe surface else { throw PrintError("there is no memory") }
        defer { unsafe cairo_surface_destroy(surface) }
        // Without the time of day in it, the same picture is the same bytes.
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, nil)
        for page in picture.pages {
            unsafe cairo_pdf_surface_set_size(
                surface,
                page.width * pointsPerPixel,
                page.height * pointsPerPixel
            )
            let canvas = unsafe Canvas(surface, scale: pointsPerPixel)
            canvas.draw(page)
            canvas.endPage()
        }
        unsafe cairo_surface_finish(surface)
        try check(unsafe cairo_surface_status(surface))
        return output.bytes
    }

    private static func check(_ status: cairo_status_t) throws(PrintError) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        // Cairo's texts are constants.
        throw PrintError(unsafe String(cString: cairo_status_to_string(status)))
    }
}

/// Takes the bytes that Cairo writes.
private final class OutputBytes {
    private(set) var bytes: [UInt8] = []

    // Cairo gives it back to `take` only while the caller holds this object.
    var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    // The bytes are Cairo's, and copied before it goes on.
    static let take: cairo_write_func_t = { closure, data, count in
        guard let closure = unsafe closure, let data = unsafe data else {
            return CAIRO_STATUS_WRITE_ERROR
        }
        let output = unsafe Unmanaged<OutputBytes>.fromOpaque(closure).takeUnretainedValue()
        unsafe output.bytes.append(
            contentsOf: UnsafeBufferPointer(start: data, count: Int(count))
        )
        return CAIRO_STATUS_SUCCESS
    }
}
