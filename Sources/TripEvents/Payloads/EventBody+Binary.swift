extension EventBody {
    /// Appends the content in the first frame that holds it exactly.
    func append(to payload: inout [UInt8]) -> PayloadForm.Frame {
        if case .fixRecorded(let fix) = self, let numbers = FixNumbers(fix) {
            return numbers.append(to: &payload)
        }
        self.payload?.fields.append(to: &payload)
        return .fields
    }

    /// Reads the content that makes up the rest of a payload.
    init(
        _ kind: EventKind,
        frame: PayloadForm.Frame,
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) {
        let numbers: FixNumbers
        switch frame {
        case .fields:
            let fields = try EventFields(payload, from: start)
            do throws(Rejection) {
                self = try EventBody(kind, fields)
                return
            } catch {
                throw PayloadDamage(error.sentence)
            }
        case .narrowFix:
            guard payload.count == start + NarrowFix.length else {
                throw PayloadDamage("A narrow fix has \(payload.count - start) bytes.")
            }
            numbers = NarrowFix(payload, at: start).numbers
        case .wideFix:
            numbers = try FixNumbers(wide: payload, from: start)
        }
        guard kind == .fixRecorded, let fix = numbers.recorded() else {
            throw PayloadDamage("A fix is no event of this kind, or its provider is not known.")
        }
        self = .fixRecorded(fix)
    }
}
