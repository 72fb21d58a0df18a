import Projections
import Testing
import TripEvents

@Suite struct FieldCatalogueTests {
    private func catalogue(_ types: CustomFieldType...) throws -> FieldCatalogue {
        var book = Book()
        for (index, type) in types.enumerated() {
            let definition = FieldDefined(
                key: "key",
                label: "Label",
                valueType: type,
                options: type == .select ? ["red", "green"] : nil
            )
            try book.decide(.fieldDefined(definition), at: Int64(index))
        }
        return try book.fields
    }

    private static let number = CustomValue.number(1.5)

    @Test(
        arguments: [
            (.text, [.text("any"), .null], [number, .boolean(true)]),
            (.number, [number, .null], [.text("1.5"), .boolean(true)]),
            (.boolean, [.boolean(false), .null], [.text("true"), number]),
            (.date, [.text("2024-02-29")], [.text("2023-02-29"), .text("1.1.2024"), number]),
            (
                .duration,
                ["PT1H30M", "P2D", "P1DT2H", "PT0S", "PT90M"].map(CustomValue.text),
                ["", "P", "PT", "1:30", "P1H", "PT1D", "PT1M1H", "PT1", "P1Y", "PT1.5H", "PT1HT1M"]
                    .map(CustomValue.text)
            ),
            (
                .url,
                ["https://example.org/a?b#c", "HTTP://example.org"].map(CustomValue.text),
                ["example.org", "https://", "https:///a", "ftp://example.org", "http://a b"]
                    .map(CustomValue.text)
            ),
            (
                .email,
                ["a@example.org", "a.b+c@mail.example.org"].map(CustomValue.text),
                [
                    "a", "@example.org", "a@", "a@example", "a@b@example.org", "a b@example.org",
                    "a@.org",
                ]
                .map(CustomValue.text)
            ),
            (.select, [.text("red"), .null], [.text("blue"), .text("Red"), number]),
        ] as [(CustomFieldType, [CustomValue], [CustomValue])]
    )
    func `a field holds what its type says`(
        type: CustomFieldType,
        right: [CustomValue],
        wrong: [CustomValue]
    ) throws {
        let catalogue = try catalogue(type)
        for value in right {
            #expect(throws: Never.self, "\(value)") { try catalogue.check(["key": value]) }
        }
        for value in wrong {
            let rejection = #expect(throws: Rejection.self, "\(value)") {
                try catalogue.check(["key": value])
            }
            #expect(rejection?.code == .invalidValue)
        }
    }

    @Test func `a field that nobody defined is refused`() throws {
        let rejection = #expect(throws: Rejection.self) {
            try FieldCatalogue().check(["key": .null])
        }
        #expect(rejection?.code == .unknownField)
    }

    @Test func `the last definition of a key holds`() throws {
        let catalogue = try catalogue(.number, .text)
        #expect(catalogue.definitions.map(\.valueType) == [.text])
    }

    @Test func `fields are in the order that people gave them`() throws {
        var book = Book()
        for (key, order) in [("b", nil), ("d", 2), ("a", nil), ("c", 1)] as [(String, UInt32?)] {
            let definition = FieldDefined(key: key, label: key, valueType: .text, order: order)
            try book.decide(.fieldDefined(definition), at: 0)
        }
        #expect(try book.fields.definitions.map(\.key) == ["c", "d", "a", "b"])
    }

    @Test(
        arguments: [
            (.text, "yes", .text("yes")), (.text, "12.5", .text("12.5")),
            (.number, "12.50", .number("12.5")), (.number, "-3", .number("-3")),
            (.number, "12,5", .text("12,5")), (.number, "twelve", .text("twelve")),
            (.boolean, "yes", .boolean(true)), (.boolean, "TRUE", .boolean(true)),
            (.boolean, "no", .boolean(false)), (.boolean, "False", .boolean(false)),
            (.boolean, "1", .text("1")), (.date, "2024-02-29", .text("2024-02-29")),
            (.select, "red", .text("red")), (.duration, "PT1H", .text("PT1H")),
        ] as [(CustomFieldType, String, CustomValue)]
    )
    func `what people write is read as the type of the field says`(
        type: CustomFieldType,
        text: String,
        value: CustomValue
    ) throws {
        #expect(try catalogue(type).value(of: "key", from: text) == value)
        #expect(try catalogue(type).value(of: "other", from: text) == .text(text))
    }

    @Test func `a field that nobody defined is refused with the names of those that are`() throws {
        let rejection = #expect(throws: Rejection.self) {
            try catalogue(.text).check(["kye": .text("red")])
        }
        #expect(rejection?.sentence.contains("kye; those defined are key (") == true)
    }
}

extension CustomValue {
    /// Creates a number from its literal.
    fileprivate static func number(_ literal: String) -> CustomValue {
        ExactDecimal(literal: literal).map(CustomValue.number) ?? .null
    }
}
