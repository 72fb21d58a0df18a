import ArgumentParser
package import RowFormats

extension RowFormat: ExpressibleByArgument {}
