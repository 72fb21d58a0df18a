/// What every trip can say about itself; people define further fields.
enum DetailName: String, CaseIterable {
    case title
    case purpose
    case notes
    case category
    case client
    case vehicle
    case tripClass = "class"
}
