import TripEvents

extension ExactDecimal {
    /// Creates the number that a simulated device reports.
    init(simulated significand: Int, decimals: Int) {
        guard let number = ExactDecimal(significand: Int64(significand), decimals: decimals) else {
            preconditionFailure("a simulated number has at most 18 digits")
        }
        self = number
    }
}
