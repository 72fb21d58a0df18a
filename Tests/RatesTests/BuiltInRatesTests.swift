import Foundation
import Rates
import TestSupport
import Testing
import TripEvents

/// The tables that come with the program.
@Suite struct BuiltInRatesTests {
    @Test func `the tables have their names, and every row has a source`() throws {
        let tables = try RateTable.builtIn()
        #expect(tables.map(\.name) == ["at", "au", "ca", "de", "fr", "gb", "nl", "us"])
        for table in tables {
            #expect(table.rows.allSatisfy { $0.jurisdiction == table.name })
            #expect(table.rows.allSatisfy { !$0.sources.isEmpty && $0.confidence != .own })
            #expect(table.rows.allSatisfy { $0.confidence == .high || $0.note != nil })
        }
    }

    @Test func `a row round-trips through its JSON`() throws {
        for row in try RateTable.builtIn().flatMap(\.rows) {
            #expect(try RateRow(json: row.json, place: row.id) == row)
        }
    }

    @Test func `rows that follow one another leave no day out`() throws {
        let book = RateBook(try RateTable.builtIn())
        for (first, second) in zip(book.stretches, book.stretches.dropFirst())
        where first.row.isFollowed(by: second.row) {
            let end = try #require(first.to)
            #expect(end.daysSince1970 + 1 == second.from.daysSince1970, "\(second.row.id)")
        }
    }

    @Test func `only rows that were known later lie over others`() throws {
        for table in try RateTable.builtIn() {
            for (index, row) in table.rows.enumerated() {
                for other in table.rows[(index + 1)...] where row.isFollowed(by: other) {
                    let isOver = row.to.map { $0 >= other.from } ?? true
                    #expect(!isOver || other.knownFrom > row.knownFrom, "\(other.id)")
                }
            }
        }
    }

    /// One row of the shared collection of rates.
    struct SharedRow: Decodable {
        struct Tier: Decodable {
            enum CodingKeys: String, CodingKey {
                case upTo = "up_to"
                case rate, plus
            }

            var upTo: Int64?
            var rate: String
            var plus: String?
        }

        struct Threshold: Decodable {
            var amount: Int64
        }

        enum CodingKeys: String, CodingKey {
            case id, jurisdiction, category, vehicle, region, scheme, from, to, currency, unit
            case structure, rate, tiers, threshold, fuel, charged, announced, confidence
            case engine = "engine_cc"
        }

        var id: String
        var jurisdiction: String
        var category: String
        var vehicle: String
        var region: String?
        var scheme: String
        var from: String
        var to: String?
        var currency: String
        var unit: String
        var structure: String
        var rate: String?
        var tiers: [Tier]?
        var threshold: Threshold?
        var fuel: String?
        var engine: String?
        var charged: String?
        var announced: String?
        var confidence: String
    }

    private struct SharedRates: Decodable {
        var rates: [SharedRow]
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `every figure is that of the shared collection`() throws {
        let shared = try JSONDecoder()
            .decode(SharedRates.self, from: SharedData.data("rates.json"))
        let book = RateBook(try RateTable.builtIn())
        var compared = 0
        for row in shared.rates where row.to ?? "9" >= "2015-01-01" {
            let days = [max(row.from, "2015-01-01"), row.to ?? "2026-11-24"]
            for day in days.map(Claimed.day) {
                let found = book.stretches.filter { stretch in
                    row.isFor(stretch.row) && stretch.from <= day && day <= stretch.to ?? day
                }
                try #require(found.count == 1, "\(row.id) on \(day): \(found.map(\.row.id))")
                row.expectEqual(found[0].row)
                compared += 1
            }
        }
        #expect(compared > 200)
    }
}

extension RateRow {
    /// Whether another row is for the same trips.
    fileprivate func isFollowed(by other: RateRow) -> Bool {
        jurisdiction == other.jurisdiction && scheme == other.scheme && region == other.region
            && classes == other.classes && vehicles == other.vehicles && shape == other.shape
            && fiscalPower == other.fiscalPower && fuels == other.fuels && engine == other.engine
    }
}

extension BuiltInRatesTests.SharedRow {
    private static let schemes = [
        "simplified_expenses_self_employed": "simplified_expenses",
        "onbelaste_kilometervergoeding": "kilometervergoeding",
        "bijtelling_private_use_limit": "private_use",
    ]

    private static let shapes: [String: RateShape] = [
        "flat": .flat, "tiered_marginal": .marginalTiers, "multiplier": .multiplier,
        "tiered_per_day_one_way": .oneWayDayTiers, "capped": .cap, "limit": .limit,
        "whole_distance_bracket": .wholeDistanceBracket,
    ]

    private static let kinds: [String: [VehicleKind]] = [
        "car": [.car, .van], "car_or_van": [.car, .van], "car_or_goods_vehicle": [.car, .van],
        "motorcycle": [.motorcycle], "bicycle": [.bicycle], "any": [], "company_car": [],
        "other_motor_vehicle": [.motorcycle, .moped], "moped": [.moped],
    ]

    private static let powers: [String: ClosedRange<Int>] = [
        "car_3cv_or_less": 1...3, "car_4cv": 4...4, "car_5cv": 5...5, "car_6cv": 6...6,
        "car_7cv_or_more": 7...999, "motorcycle_1_2cv": 1...2, "motorcycle_3_5cv": 3...5,
        "motorcycle_over_5cv": 6...999,
    ]

    private var shape: RateShape? {
        switch category {
        case "passenger": .perPassenger
        case "business_depreciation_component": .component
        case "company_car" where unit == "kWh": .perKilowattHour
        default: Self.shapes[structure]
        }
    }

    private var fuels: [String] { fuel.map { [$0] } ?? [] }

    /// The engine sizes, of `<=1400`, `1401-2000` or `>2000`.
    private var engineRange: ClosedRange<Int>? {
        guard let engine else { return nil }
        let numbers = engine.split { !$0.isNumber }.compactMap { Int($0) }
        if engine.hasPrefix("<") { return 1...numbers[0] }
        if engine.hasPrefix(">") { return (numbers[0] + 1)...99_999 }
        return numbers[0]...numbers[1]
    }

    /// Whether a row of ours is the one that this one describes.
    func isFor(_ row: RateRow) -> Bool {
        let classOf = [
            "passenger": "business", "business_depreciation_component": "business",
            "private_limit": "personal", "electric_multiplier": "business",
            "company_car": "business",
        ]
        let kind =
            vehicle.hasPrefix("car_") && Self.powers[vehicle] != nil
            ? [.car, .van] : Self.kinds[vehicle] ?? [.motorcycle]
        let named = charged == "public" ? scheme + "_public" : Self.schemes[scheme] ?? scheme
        let isOfClass =
            row.classes.contains { $0.rawValue == classOf[category] ?? category }
            || row.classes.isEmpty && unit == "kWh"
        return row.jurisdiction == jurisdiction.lowercased()
            && row.scheme == named && row.shape == shape && isOfClass
            && (unit == "kWh" || row.vehicles == kind && row.fuels.map(\.rawValue) == fuels)
            && row.engine == engineRange && row.fiscalPower == Self.powers[vehicle]
            && (row.region.map { ($0 == "provinces") == id.hasSuffix("provinces") } ?? true)
    }

    /// Expects that a row of ours says the same.
    func expectEqual(_ row: RateRow) {
        #expect(row.currency == currency, "\(id)")
        #expect(row.unit.rawValue == unit || row.shape == .perKilowattHour, "\(id)")
        #expect(row.confidence.rawValue == confidence, "\(id)")
        if let announced { #expect(row.knownFrom.description == announced, "\(id)") }
        let ours = row.tiers.map { [$0.upTo.map(String.init), "\($0.rate)", "\($0.plus)"] }
        let limit = threshold.map { String($0.amount) }
        func plain(_ text: String?) -> String {
            ExactDecimal(literal: text ?? "0")?.description ?? ""
        }
        let theirs: [[String?]] =
            tiers?
            .map {
                [$0.upTo.map(String.init), plain($0.rate), plain($0.plus)]
            } ?? [
                [structure == "flat" || structure == "multiplier" ? nil : limit, plain(rate), "0"]
            ]
        #expect(ours == theirs, "\(id)")
    }
}
