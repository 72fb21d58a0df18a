import ArgumentParser
import TripEvents
import TripLedger

/// An event that a command appends by itself.
struct OneEvent {
    private let event: TripEvent

    init(_ event: TripEvent) {
        self.event = event
    }

    /// Appends the event and shows the receipt.
    ///
    /// - Throws: `ExitCode` 1 if it was not accepted.
    @discardableResult
    func append(to ledger: Ledger, now: Timestamp, _ options: GlobalOptions) throws -> Receipt {
        let receipt = try receipt(in: ledger, now: now)
        let shown = ShownReceipt(receipt, for: event)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
        Diagnostic.say(options.format == .json ? "" : shown.complaint)
        if !shown.isAccepted { throw ExitCode(1) }
        return receipt
    }

    /// Lets the event through the same strict reader as every line from outside.
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
        return try ledger.append([checked], now: now)[0]
    }
}
