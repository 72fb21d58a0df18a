/// Custom fields by key, in ascending order of the keys' UTF-8 bytes, each key once.
///
/// Keys are compared byte by byte: two spellings of an accented letter are two keys, as they are in
/// the stored form.
public struct CustomFields: Hashable, Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// The key, 1 … 64 bytes.
        public let key: String

        /// The value.
        public let value: CustomValue
    }

    /// The fields in order.
    public private(set) var all: [Field] = []

    /// Creates no fields.
    public init() {}

    /// Creates fields from keys that differ, in any order.
    init(_ fields: [Field]) {
        all = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// The value of a key; setting `nil` takes the field away.
    public subscript(key: String) -> CustomValue? {
        get {
            let index = insertionIndex(of: key)
            return holds(key, at: index) ? all[index].value : nil
        }
        set {
            let index = insertionIndex(of: key)
            if holds(key, at: index) {
                all.remove(at: index)
            }
            if let newValue {
                all.insert(Field(key: key, value: newValue), at: index)
            }
        }
    }

    private func insertionIndex(of key: String) -> Int {
        all.firstIndex { !$0.key.utf8.lexicographicallyPrecedes(key.utf8) } ?? all.count
    }

    private func holds(_ key: String, at index: Int) -> Bool {
        index < all.count && all[index].key.utf8.elementsEqual(key.utf8)
    }
}

extension CustomFields: ExpressibleByDictionaryLiteral {
    /// Creates fields from a literal; of a repeated key the last value stays.
    public init(dictionaryLiteral elements: (String, CustomValue)...) {
        for (key, value) in elements {
            self[key] = value
        }
    }
}
