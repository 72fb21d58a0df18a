extension ExactDecimal {
    /// Returns the number times so many thousandths, exactly: 12.5 times 1,609,344 thousandths is
    /// 20116.8.
    ///
    /// - Returns: The product, or `nil` if it needs more than 18 digits or decimals.
    public func multiplied(byThousandths thousandths: Int64) -> ExactDecimal? {
        guard let scaled else { return nil }
        let product = scaled.significand.multipliedReportingOverflow(by: thousandths)
        guard !product.overflow else { return nil }
        return ExactDecimal(significand: product.partialValue, decimals: Int(scaled.decimals) + 3)
    }
}
