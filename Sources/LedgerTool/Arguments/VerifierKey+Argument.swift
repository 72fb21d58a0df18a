import ArgumentParser
package import Proofs

extension VerifierKey: ExpressibleByArgument {
    /// Reads a verifier key.
    package init?(argument: String) {
        self.init(argument)
    }
}
