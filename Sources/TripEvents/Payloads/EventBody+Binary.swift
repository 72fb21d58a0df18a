extension EventBody {
    /// Appends the content in the first frame and the oldest version that hold it exactly.
    func append(to payload: inout [UInt8]) -> PayloadForm.Layout {
        if case .fixRecorded(let fix) = self, let numbers = fix.numbers() {
            return PayloadForm.Layout(numbers.append(to: &payload))
        }
        guard let kind, let fields = self.payload?.fields else {
            return PayloadForm.Layout(.fields)
        }
        let oldest = PayloadHistory.oldest(fields, of: kind)
        oldest.fields.append(to: &payload)
        return PayloadForm.Layout(.fields, version: oldest.version)
    }

    /// Reads the content that makes up the rest of a payload.
    init(
        _ kind: EventKind,
        _ layout: PayloadForm.Layout,
        _ payload: Span<UInt8>,
        from start: Int
    ) throws(PayloadDamage) {
        let numbers: FixNumbers
        switch layout.frame {
        case .fields:
            let fields = try EventFields(payload, from: start)
            let newest = PayloadHistory.upcast(fields, of: kind)
            let oldest = PayloadHistory.oldest(newest, of: kind)
            guard oldest.version == layout.version, oldest.fields.all.count == fields.all.count
            else {
                throw PayloadDamage("The content is not of version \(layout.version).")
            }
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
