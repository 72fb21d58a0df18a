import Projections
import RoutinesProjection
import SystemPackage
import TripLedger

extension RoutineCatalogue {
    /// Throws, with the names that there are, if there is no routine of a name.
    func expect(_ name: String, at path: FilePath) throws(LedgerError) {
        guard routine(named: name) == nil else { return }
        throw LedgerError(noRoutine: name, among: routines.map(\.routine.name), at: path)
    }
}
