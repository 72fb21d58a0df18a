public import ArgumentParser
public import TripEvents

extension MotionState: ExpressibleByArgument {}
