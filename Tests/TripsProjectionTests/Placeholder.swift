// Placeholder: replaced by the first suite.
