import CPango

/// Makes files from drawings.
enum PrintFile {
    /// Returns what is drawn as PNG, with `scale` pixels for each unit of the drawing.
    static func png(
        width: Double,
        height: Double,
        scale: Double,
        _ draw: (Canvas) -> Void
    ) throws(PrintError) -> [UInt8] {
        // The surface is destroyed here, after the canvas.
        let surface = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_RGB24,
            CInt((width * scale).rounded(.up)),
            CInt((height * scale).rounded(.up))
        )
        guard let surface = unsafe surface else { throw PrintError("there is no memory") }
        defer { unsafe cairo_surface_destroy(surface) }
        let canvas = unsafe Canvas(surface, scale: scale)
        canvas.paintPaper()
        draw(canvas)
        try canvas.check()
        let output = OutputBytes()
        let status = unsafe cairo_surface_write_to_png_stream(
            surface,
            OutputBytes.take,
            output.pointer
        )
        try PrintError.check(status)
        return output.bytes
    }

    /// Returns what is drawn as PDF, whose first page has a size in points, 72 to the inch.
    static func pdf(
        width: Double,
        height: Double,
        _ draw: (PDFSurface) throws(PrintError) -> Void
    ) throws(PrintError) -> [UInt8] {
        let output = OutputBytes()
        // The surface is finished and destroyed here, before `output` is read.
        let pointer = unsafe cairo_pdf_surface_create_for_stream(
            OutputBytes.take,
            output.pointer,
            width,
            height
        )
        guard let pointer = unsafe pointer else { throw PrintError("there is no memory") }
        defer { unsafe cairo_surface_destroy(pointer) }
        // In this version objects are not packed, so that `ArchivedPDF` finds each.
        unsafe cairo_pdf_surface_restrict_to_version(pointer, CAIRO_PDF_VERSION_1_4)
        // Without a time of creation, the same drawing gives the same bytes.
        unsafe cairo_pdf_surface_set_metadata(pointer, CAIRO_PDF_METADATA_CREATE_DATE, nil)
        unsafe cairo_pdf_surface_set_metadata(pointer, CAIRO_PDF_METADATA_CREATOR, "ledger-print")
        try draw(unsafe PDFSurface(pointer))
        unsafe cairo_surface_finish(pointer)
        try PrintError.check(unsafe cairo_surface_status(pointer))
        return output.bytes
    }
}

/// The surface on which pages of PDF are drawn.
// Safe to use: nothing hands the surface out, and `PrintFile.pdf` keeps it as long as this is used.
@safe struct PDFSurface {
    // Cairo's surface, which stays that of `PrintFile.pdf`.
    private let surface: OpaquePointer

    fileprivate init(_ surface: OpaquePointer) {
        // The caller's surface, which outlives this value.
        unsafe self.surface = surface
    }

    /// Returns a canvas for one page or more.
    func canvas(scale: Double = 1) -> Canvas {
        // The canvas takes a reference of its own.
        unsafe Canvas(surface, scale: scale)
    }

    /// Sets the size of the next page, in points.
    func setSize(width: Double, height: Double) {
        // The surface is open.
        unsafe cairo_pdf_surface_set_size(surface, width, height)
    }

    /// Sets the title that programs show for the file.
    func setTitle(_ title: String) {
        // The surface is open; Cairo copies the text.
        unsafe cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
    }

    /// Adds a line to the outline, which leads to a place of a page; pages count from 1.
    func addOutline(_ title: String, page: Int, left: Int, top: Int) {
        // The surface is open; Cairo copies the texts.
        _ = unsafe cairo_pdf_surface_add_outline(
            surface,
            CAIRO_PDF_OUTLINE_ROOT,
            title,
            "page=\(page) pos=[\(left) \(top)]",
            CAIRO_PDF_OUTLINE_FLAG_OPEN
        )
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

extension PrintError {
    /// Throws if Cairo could not do what was asked.
    static func check(_ status: cairo_status_t) throws(PrintError) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        // Cairo's texts are constants.
        throw PrintError(unsafe String(cString: cairo_status_to_string(status)))
    }
}
