public import ArgumentParser
public import TripEvents

extension OdometerMethod: ExpressibleByArgument {}
