extension Array: FieldConvertible where Element: FieldConvertible {
    static var blank: [Element] { [] }

    init?(_ value: FieldValue) {
        guard case .texts(let texts) = value else { return nil }
        var elements: [Element] = []
        for text in texts {
            guard let element = Element(.text(text)) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    var fieldValue: FieldValue {
        .texts(
            compactMap { element in
                guard case .text(let text) = element.fieldValue else { return nil }
                return text
            }
        )
    }
}
