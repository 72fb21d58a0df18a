// The ledger's answers consist of events, trips, sums and places: a program that imports the ledger
// also gets the modules of these values.
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
