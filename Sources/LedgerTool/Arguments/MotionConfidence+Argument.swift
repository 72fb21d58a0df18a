public import ArgumentParser
public import TripEvents

extension MotionConfidence: ExpressibleByArgument {}
