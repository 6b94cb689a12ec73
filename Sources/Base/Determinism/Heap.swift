/// A queue that gives out the least of its elements first, in time that grows with the logarithm of their number.
struct Heap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    var least: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var place = elements.count - 1
        while place > 0, elements[place] < elements[(place - 1) / 2] {
            elements.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    @discardableResult
    mutating func removeLeast() -> Element? {
        guard let least = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return least }
        elements[0] = last
        var place = 0
        while true {
            var smallest = place
            for child in [2 * place + 1, 2 * place + 2] where child < elements.count {
                if elements[child] < elements[smallest] { smallest = child }
            }
            guard smallest != place else { return least }
            elements.swapAt(place, smallest)
            place = smallest
        }
    }

    mutating func removeAll() { elements.removeAll() }
}
