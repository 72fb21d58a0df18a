import Platform
import Tables
import TripEvents
import TripLedger

/// The screen to which results go, if they go to one.
enum Screen {
    /// How many lines it has room for beside the prompt; `nil` if it is no screen.
    static var lineCount: Int? {
        guard Terminal.isStandardOutput, let lineCount = Terminal.lineCount else { return nil }
        return max(1, lineCount - 1)
    }

    /// How many characters its lines have; `nil` if it is no screen.
    static var columnCount: Int? {
        Terminal.isStandardOutput ? Terminal.columnCount : nil
    }

    /// Whether it supports control sequences, and the user allows them: see no-color.org.
    static var showsEmphasis: Bool {
        Terminal.isStandardOutput && ProcessEnvironment.variable("NO_COLOR") == nil
            && ProcessEnvironment.variable("TERM").map { $0 != "dumb" } ?? false
    }
}

extension TextStyle {
    /// The style for the screen, for output that belongs to no ledger.
    static var screen: TextStyle {
        var style = TextStyle(width: Screen.columnCount)
        style.usesEmphasis = Screen.showsEmphasis
        return style
    }

    /// The style for the screen: in the ledger's unit, or another one, and with times by its clock.
    static func screen(for ledger: Ledger, unit: DistanceUnit? = nil) -> TextStyle {
        var style = screen
        style.unit = unit ?? ledger.units
        style.clock = ledger.clock
        return style
    }
}

extension Ledger {
    /// The unit of distances now; that of the ledger's first entry if the log cannot be read: the
    /// next step then reports the error.
    var units: DistanceUnit {
        (try? settings())?.units(at: WallClock.now) ?? founding.units
    }
}
