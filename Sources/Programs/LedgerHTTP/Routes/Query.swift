package import Hummingbird
package import TripLedger

/// The query of a request; every value has its form.
package struct Query: Sendable {
    private var values: [String: [String]] = [:]

    /// Reads the query of a request.
    ///
    /// A parameter that the path does not take is refused: a client that mistypes `vehicle` would
    /// otherwise take all trips for those of one vehicle.
    ///
    /// - Throws: `Problem` if a parameter is unknown, repeated or malformed.
    package init(of request: Request, _ parameters: [Parameter]) throws(Problem) {
        for (name, value) in request.uri.queryParameters {
            let (name, value) = (String(name), String(value))
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                throw .unknownParameter(name, known: parameters.map(\.name))
            }
            guard values[name] == nil || parameter.isRepeatable else {
                throw .invalidParameter(name, "there once")
            }
            if let complaint = parameter.complaint(about: value) {
                if case .number = parameter.form, UInt64(value) == nil {
                    // The feed client shows this to people.
                    throw .invalidParameter(name, complaint, title: "\(name) is no whole number")
                }
                throw .invalidParameter(name, complaint)
            }
            values[name, default: []].append(value)
        }
    }

    /// Returns a text; `nil` if it is not there.
    package func text(_ name: String) -> String? { values[name]?.first }

    /// Returns the text of a parameter that must be there.
    ///
    /// - Throws: `Problem` if it is not.
    package func require(_ parameter: Parameter) throws(Problem) -> String {
        guard let text = text(parameter.name) else {
            throw .invalidParameter(parameter.name, "there")
        }
        return text
    }

    /// Returns all texts of a parameter that may stand there several times.
    package func texts(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns a number; `nil` if it is not there.
    package func number(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0) } }

    /// The most items of a page.
    package var limit: Int { number("limit").map { Int(clamping: $0) } ?? 100 }

    /// Returns the local days from `from` to `to`; `nil` if neither is there.
    ///
    /// - Parameter clock: The day on which a time lies.
    /// - Returns: The days.
    /// - Throws: `Problem` if they contain no day.
    package func period(by clock: LocalDay) throws(Problem) -> LocalPeriod? {
        let (from, to) = try bounds()
        guard from != nil || to != nil else { return nil }
        return try Self.period(from: from, to: to, by: clock)
    }

    /// Returns the first and the last local day, as far as they are given.
    ///
    /// - Throws: `Problem` if there is no day from one to the other.
    package func bounds() throws(Problem) -> (from: CivilDate?, to: CivilDate?) {
        let from = text("from").flatMap { CivilDate($0) }
        let to = text("to").flatMap { CivilDate($0) }
        try Self.check(from, to)
        return (from, to)
    }

    private static func check(_ from: CivilDate?, _ to: CivilDate?) throws(Problem) {
        guard let from, let to, to < from else { return }
        throw Problem.invalidParameter("to", "a day that is not before from")
    }

    /// Returns the local days from one to another, or from the first or to the last of all.
    package static func period(
        from: CivilDate?,
        to: CivilDate?,
        by clock: LocalDay
    ) throws(Problem) -> LocalPeriod {
        try check(from, to)
        return LocalPeriod(from: from, to: to, localDay: clock)
    }

    /// The days of trips that are listed.
    package static let days = [
        Parameter("from", .day, "The first local day"),
        Parameter("to", .day, "The last local day"),
    ]
}
