import DriveSimulation
import TripEvents
package import TripLedger

/// Requests for reports, with all kinds of things said that go together.
package struct RandomRequests {
    private var random: SplitMix64

    /// Begins with a seed.
    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Returns a request for a report of some days of 2024 and 2025.
    ///
    /// - Parameters:
    ///   - kind: The kind of report.
    ///   - formats: The formats that may be asked for.
    /// - Returns: The request.
    package mutating func request(
        _ kind: ReportKind,
        in formats: [ReportFormat] = ReportFormat.allCases
    ) -> ReportRequest {
        var request = ReportRequest(kind)
        let plain: Set<ReportParameter> = [.year, .month, .day, .from, .to, .baseYear, .format]
        for parameter in kind.parameters where !plain.contains(parameter) {
            let isRequired = kind.required.contains(parameter)
            guard parameter.isAsked, isRequired || chance(0.4) else { continue }
            request[parameter] = value(of: parameter, in: kind)
        }
        if kind == .claim {
            request.jurisdiction = request.jurisdiction.flatMap { _ in taxOffice.rawValue }
            (request.scheme, request.region) = (nil, nil)
        }
        request.format = formats.randomElement(using: &random)
        if request.excel != nil { request.format = chance(0.5) ? .csv : nil }
        if request.sums == true { request.columns = nil }
        if kind == .methods, request.jurisdiction == LogJurisdiction.ca.rawValue, chance(0.5) {
            request.baseYear = 2_023
        }
        sayDays(in: &request)
        return request
    }

    private var taxOffice: LogJurisdiction {
        mutating get { LogJurisdiction.allCases.randomElement(using: &random) ?? .us }
    }

    private mutating func chance(_ odds: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < odds
    }

    /// Says days in one of the ways in which people do.
    private mutating func sayDays(in request: inout ReportRequest) {
        let hasMonths = request.kind.parameters.contains(.month) && request.kind != .methods
        switch Int.random(in: 0..<(hasMonths ? 5 : 1), using: &random) {
        case 0: request.year = chance(0.5) ? 2_024 : 2_025
        case 1: request.month = AskedDays("2025-03")
        case 2: request.day = CivilDate(year: 2025, month: 3, day: 4)
        case 3: request.from = AskedDays("2024")
        default:
            request.from = AskedDays("2024-11")
            request.to = AskedDays("2025-03-14")
        }
        if request.from != nil, request.to == nil { request.to = AskedDays("2025-12") }
    }

    private mutating func value(
        of parameter: ReportParameter,
        in kind: ReportKind
    ) -> ReportValue? {
        switch parameter.form(in: kind) {
        case .flag: return .flag(chance(0.5))
        case .number(let range):
            let most = min(range.upperBound, 40)
            return .number(Int64.random(in: range.lowerBound...most, using: &random))
        case .word(let words): return words.randomElement(using: &random).map { .text($0) }
        case .text:
            let texts = ["van", "Zoë's \"car\"", "a, b", "-x", "\u{1F69A}\ttruck"]
            return texts.randomElement(using: &random).map { .text($0) }
        case .day, .days: return .text("2026-05-01")
        case .month: return .text("2025-03")
        case .instant:
            return .text(chance(0.5) ? "2026-06-01T12:00:00.000Z" : "2025-03-05T09:10:11.120Z")
        case .zone:
            return ["Europe/London", "America/New_York", "UTC"].randomElement(using: &random)
                .map { .text($0) }
        case .group: return chance(0.7) ? .flag(false) : .text("17")
        case .columns: return .text(kind == .log ? "trip,distance_m,purpose" : "vehicle,amount")
        }
    }
}
