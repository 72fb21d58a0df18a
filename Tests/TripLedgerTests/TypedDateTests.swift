import Testing

@testable import TripLedger

/// Dates and numbers that people type mean one thing, or are refused with all that they can mean.
@Suite struct TypedDateTests {
    @Test func `a date of each form is the same day, month or year`() throws {
        for (texts, days) in [
            (
                ["2025-04-01", "2025-4-1", "01.04.2025", "1.4.2025", "2025/04/01", "2025/4/1"],
                "2025-04-01"
            ),
            (["2025-04", "2025-4", "04.2025", "4.2025", "2025/4"], "2025-04"),
            (["2025"], "2025"),
            (["29.02.2024", "2024-2-29"], "2024-02-29"),
        ] {
            for text in texts {
                let date = try #require(TypedDate(text), "\(text)")
                #expect(date.days?.text == days, "\(text)")
                #expect(date.advice == nil)
            }
        }
    }

    @Test func `each day is read in each form in which it is written`() throws {
        for number in stride(from: -30_000, through: 40_000, by: 617) {
            let day = CivilDate(daysSince1970: number)
            let (year, month) = ("\(day.year)", "\(day.month)")
            for text in [
                "\(day)", "\(year)-\(month)-\(day.day)", "\(day.day).\(month).\(year)",
                "\(year)/\(month)/\(day.day)",
            ] {
                #expect(TypedDate(text)?.days == AskedDays(day), "\(text)")
            }
            let american = TypedDate("\(month)/\(day.day)/\(year)")
            let european = TypedDate("\(day.day)/\(month)/\(year)")
            guard case .slashes(_, monthFirst: day)? = american,
                case .slashes(dayFirst: day, _)? = european
            else {
                Issue.record("\(day) with slashes")
                continue
            }
            #expect(american?.days == nil && european?.days == nil)
            #expect(american?.advice?.contains("\(day)") ?? false)
        }
    }

    @Test func `with slashes both readings are said, as far as there are such days`() throws {
        let both = try #require(TypedDate("03/04/2025")?.advice)
        #expect(both.contains("2025-04-03") && both.contains("2025-03-04"))
        let one = try #require(TypedDate("25/12/2025")?.advice)
        #expect(one.contains("2025-12-25") && !one.contains("if the month"))
        #expect(TypedDate("03/04")?.advice?.contains("14.03.2026") ?? false)
        #expect(TypedDate.advice(onTime: "03/04/2025 08:30") == both)
        #expect(TypedDate("01.04.")?.advice?.contains("year") ?? false)
        #expect(TypedDate("01.04.25")?.advice?.contains("year") ?? false)
    }

    @Test(arguments: [
        "", "25", "2025-13", "2025-02-30", "31.04.2025", "2025-1-1-1", "1.2.3.2025", "..", "//",
        "last", "a.b.2025", "٠١.٠٤.٢٠٢٥", "20250401", "2025-001-01", "-2025-01",
    ])
    func `a text that is not a date gives no date`(text: String) {
        #expect(TypedDate(text)?.days == nil)
    }

    @Test func `a comma before a fraction is a full stop`() {
        for (text, literal) in [
            ("12,5", "12.5"), ("-0,25", "-0.25"), ("0,125", "0.125"), ("1234,567", "1234.567"),
            ("12.5", "12.5"), ("12", "12"), ("1,2345", "1.2345"),
        ] {
            #expect(TypedNumber(text).literal == literal)
            #expect(TypedNumber(text).advice == nil)
        }
    }

    @Test func `a comma that can stand between thousands is refused with both readings`() {
        for (text, readings) in [
            ("1,234", ["1.234", "1234"]), ("-12,500", ["-12.500", "-12500"]),
        ] {
            let number = TypedNumber(text)
            #expect(ExactDecimal(literal: number.literal) == nil)
            #expect(readings.allSatisfy { number.advice?.contains($0) ?? false })
        }
        for text in ["1.234,5", "1,234.5", "1,234,567"] {
            #expect(ExactDecimal(literal: TypedNumber(text).literal) == nil)
            #expect(TypedNumber(text).advice != nil)
        }
        for text in ["", ",", "5,", ",5", "a,b", "1, 5"] {
            #expect(ExactDecimal(literal: TypedNumber(text).literal) == nil)
        }
    }
}
