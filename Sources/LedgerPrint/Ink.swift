/// The colours of documents: dark enough to be read on any printer (WCAG 2, contrast 4.5 and more).
enum Ink {
    static let black = PrintedPicture.Color(red: 0.10, green: 0.11, blue: 0.13)
    static let grey = PrintedPicture.Color(red: 0.40, green: 0.42, blue: 0.46)

    /// Lines between rows, which only lead the eye.
    static let hairline = PrintedPicture.Color(red: 0.85, green: 0.86, blue: 0.88)
}
