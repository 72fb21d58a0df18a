import ArgumentParser
package import Proofs

extension KeyName: ExpressibleByArgument {
    /// Reads a key's name.
    package init?(argument: String) {
        self.init(argument)
    }
}
