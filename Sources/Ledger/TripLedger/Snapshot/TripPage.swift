import Projections
import TripsProjection

/// A place in the list of trips, newest first: just after a start and an id, whether there is a
/// trip with these or not.
package struct TripListPosition: Hashable, Sendable {
    /// The order key of the trip before it.
    fileprivate let orderKey: [UInt8]

    /// The place as text that says nothing to those who keep it.
    package var text: String { ViewKey.hexadecimal(orderKey) }

    fileprivate init(after row: TripRow) {
        orderKey = row.orderKey
    }

    /// Reads a text, or returns `nil` if it is not one that ``text`` gave.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            guard pair.utf8.allSatisfy(Self.isDigit), let byte = UInt8(pair, radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        orderKey = bytes
    }

    /// A start and an id.
    private static let byteCount = 24

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// Some of the trips of a filter, newest first.
package struct TripPage: Sendable {
    /// The trips.
    package fileprivate(set) var rows: [TripRow] = []

    /// The position at which the list goes on; `nil` if there are no more trips.
    package fileprivate(set) var next: TripListPosition?
}

extension Snapshot {
    /// Returns the next trips of a list, newest first.
    ///
    /// The list is in order of start and id. A reader who asks for one page after the other, each
    /// from where the last one ended, gets every trip that was there all the time, once, whatever
    /// is appended meanwhile.
    ///
    /// - Parameters:
    ///   - filter: Which trips, and how many at most; its `after` and `isOldestFirst` are not
    ///     looked at.
    ///   - position: Where the list goes on; `nil` to begin.
    ///   - mostRows: How many rows are looked at, so that a filter which lets few trips through
    ///     costs no more time than others: the page may have fewer trips than asked for, or none,
    ///     although there are more.
    /// - Returns: The trips.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func tripPage(
        _ filter: TripFilter,
        after position: TripListPosition?,
        mostRows: Int
    ) throws(LedgerError) -> TripPage {
        var filter = filter
        filter.after = nil
        filter.isOldestFirst = false
        return try asking {
            var keys = try store.orderKeys(of: filter, at: path)
            if let position { keys.upTo = ViewKeyRange.earlier(keys.upTo, position.orderKey) }
            var page = TripPage()
            var rowCount = 0
            var last: TripRow?
            try store.scanTrips(in: keys, isDescending: true) { row in
                if page.rows.count == filter.limit ?? .max || rowCount == mostRows {
                    page.next = last.map { TripListPosition(after: $0) } ?? position
                    return false
                }
                rowCount += 1
                last = row
                if filter.includes(row.booked) { page.rows.append(row) }
                return true
            }
            return page
        }
    }
}
