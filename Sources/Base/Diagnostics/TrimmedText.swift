extension String {
    /// Without spaces, tabs and line ends around it.
    package var trimmingWhitespace: String {
        var view = self[...]
        while view.first?.isWhitespace == true { view.removeFirst() }
        while view.last?.isWhitespace == true { view.removeLast() }
        return String(view)
    }
}
