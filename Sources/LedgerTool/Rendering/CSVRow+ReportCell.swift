import Reports
import TripEvents

extension CSVRow {
    /// Adds a cell of a report, distances in a unit.
    mutating func add(_ cell: ReportCell, in unit: DistanceUnit) {
        switch cell {
        case .text(let text): add(text: text)
        case .place(.words(let words)?): add(text: words)
        case .place(let position):
            // Ours, with a comma: a minus sign begins no formula here.
            add(plain: { bytes in
                guard let position else { return }
                bytes.append(UInt8(ascii: "\""))
                position.append(to: &bytes)
                bytes.append(UInt8(ascii: "\""))
            })
        case .date(let date): add(plain: date.append)
        case .time(let time):
            add(plain: { bytes in
                guard let time else { return }
                RFC3339.append(time.timestamp, utcOffset: time.utcOffset, to: &bytes)
            })
        case .distance(let distance): add(distance, in: unit)
        case .count(let count):
            add(plain: { bytes in
                guard let count else { return }
                FixedPoint.append(count, decimals: 0, to: &bytes)
            })
        }
    }
}
