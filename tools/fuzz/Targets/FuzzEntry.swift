import Importers
import Glibc
import Platform

/// The function that libFuzzer calls before it opens anything.
@_cdecl("LLVMFuzzerInitialize")
public func beginFuzzing(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
) -> CInt {
    do {
        try StandardStreams.open()
    } catch {
        exit(74)
    }
    return 0
}

/// The function that libFuzzer calls with each input: the target that `LEDGER_FUZZ_TARGET` names
/// gets it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    FuzzTarget.chosen(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// The parsers that are fed, by the names that `tools/fuzz/run` knows them by.
enum FuzzTarget {
    static let chosen: @Sendable ([UInt8]) -> Void = {
        let name = getenv("LEDGER_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = all[name] else {
            fatalError("LEDGER_FUZZ_TARGET names one of \(all.keys.sorted())")
        }
        return target
    }()

    private static var all: [String: @Sendable ([UInt8]) -> Void] {
        var targets = others
        for format in ImportTarget.formats {
            targets["imports-\(format.rawValue)"] = { ImportTarget.check($0, as: format) }
        }
        targets["imports-map"] = ImportTarget.checkMap
        targets["imports-recognition"] = ImportTarget.checkRecognition
        for (name, form) in ArchiveTarget.forms {
            targets["archives-\(name)"] = { ArchiveTarget.check($0, as: form) }
        }
        return targets
    }

    private static var others: [String: @Sendable ([UInt8]) -> Void] {
        [
            "lines": LineTarget.check,
            "blocks": BlockTarget.check,
            "columns": ColumnTarget.check,
            "entries": EntryTarget.check,
            "proofs": ProofTarget.check,
            "notes": NoteTarget.check,
            "exports": ExportTarget.check,
            "tiles": TileTarget.check,
        ]
    }
}

/// Ends the process with a sentence that says which property does not hold.
func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError(sentence())
}
