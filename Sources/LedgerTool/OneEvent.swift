import ArgumentParser
import Projections
import TripEvents
import TripLedger

/// An event that a command appends by itself.
struct OneEvent {
    private let event: TripEvent
    private let isTimedByClock: Bool

    /// Creates the event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - isTimedByClock: whether it happens now for want of another time. Sent again under its id
    ///     it is the same event then, although the clock has moved.
    init(_ event: TripEvent, isTimedByClock: Bool = false) {
        self.event = event
        self.isTimedByClock = isTimedByClock
    }

    /// Appends the event and shows the receipt.
    ///
    /// - Returns: The receipt.
    /// - Throws: `ExitCode` 1 if it was not accepted.
    @discardableResult
    func append(to ledger: Ledger, now: Timestamp, _ options: GlobalOptions) throws -> Receipt {
        var receipt = try receipt(in: ledger, now: now)
        var event = event
        if isTimedByClock, case .conflict(let position, let fields) = receipt,
            fields == ["occurred_at"]
        {
            receipt = .duplicate(of: position)
            try ledger.scanLog(from: position) { stored in
                event = stored.event
                return false
            }
        }
        let shown = ShownReceipt(receipt, for: event)
        do {
            try Output.standard.writing { output in
                switch options.format {
                case .json: try output.writeLine(shown.json)
                case .text, .csv: try output.write(shown.text)
                }
            }
        } catch var error as OutputError {
            // Whoever reads of an error only would press the button again.
            error.afterword = shown.text
            throw error
        }
        Diagnostic.say(options.format == .json ? "" : shown.complaint)
        if !shown.isAccepted { throw ExitCode(1) }
        return receipt
    }

    /// Lets the event through the same strict reader as every line from outside, and its custom
    /// fields through the catalogue: people who write them are told of a mistake at once.
    private func receipt(in ledger: Ledger, now: Timestamp) throws -> Receipt {
        var reader = EventLineReader()
        var line: [UInt8] = []
        event.appendJSON(to: &line)
        let checked: TripEvent
        do throws(Rejection) {
            checked = try reader.event(line.span, recordedAt: now)
        } catch {
            return .rejected(error)
        }
        if let fields = checked.body.customFields {
            let catalogue = try ledger.fields()
            do throws(Rejection) {
                try catalogue.check(fields)
            } catch {
                return .rejected(error)
            }
        }
        return try ledger.append([checked], now: now)[0]
    }
}
