// What a ledger answers consists of events, trips, sums and places: a program that imports the
// ledger has what these values are made of.
@_exported public import ActiveTripProjection
@_exported public import Geodesy
@_exported public import Projections
@_exported public import RoutinesProjection
@_exported public import RowCoding
@_exported public import SystemPackage
@_exported public import TotalsProjection
@_exported public import TripEvents
@_exported public import TripTracking
@_exported public import TripsProjection
