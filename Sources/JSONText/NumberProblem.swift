/// Why a number is not taken.
package enum NumberProblem: Error {
    /// It is not written as RFC 8259 §6 says.
    case malformed

    /// It is a zero with a minus sign, whose meaning is unclear.
    case negativeZero

    /// It is beyond `Double`, or longer than ``ExactDecimal/maximumTextLength`` in plain digits.
    case outOfRange
}
