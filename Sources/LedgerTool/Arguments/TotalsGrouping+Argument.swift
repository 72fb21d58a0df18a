public import ArgumentParser
public import TotalsProjection

extension TotalsGrouping: ExpressibleByArgument {}
