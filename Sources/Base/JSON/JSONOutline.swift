import Diagnostics

/// The values of a JSON text that may be broken, as far as they can be read: for editors. Missing commas, colons, quotes
/// and brackets lose nothing of the rest. Every offset is inside of the text.
package struct JSONOutline: Sendable {
    package enum Kind: Sendable { case object, array, string, number, word, missing }

    package struct Node: Sendable {
        package var kind: Kind
        /// The name of the member with its quotes; `nil` for elements and the root.
        package var key: Range<Int>?
        /// The last token of its pointer: the name of the member, or the index.
        package var token: String
        /// Quotes and brackets included; empty at the place where it is missing.
        package var value: Range<Int>
        /// Of a text, escapes resolved.
        package var text: String?
        package var parent: Int?
        package var children: [Int]
        /// Whether its closing quote or bracket is there.
        package var isClosed: Bool

        /// Name and value.
        package var whole: Range<Int> { (key?.lowerBound ?? value.lowerBound)..<value.upperBound }
        /// Whether it can have members or elements.
        package var isContainer: Bool { kind == .object || kind == .array }
    }

    /// What is typed at an offset.
    package enum Spot: Sendable {
        /// A name of a member of an object; `typed` has its quotes if there are any.
        case key(object: Int, typed: Range<Int>)
        /// A value: `node` is what is there so far; without it `parent` gets a new element, or the root is missing.
        case value(node: Int?, parent: Int?, typed: Range<Int>)
        /// Between values, where nothing can be written but punctuation.
        case other
    }

    package let source: SourceText
    /// In the order of the text; the root is first.
    package let nodes: [Node]
    /// From `//` to the end of the line, and from `/*` to behind `*/`: JSON has none, and people write them.
    package let comments: [Range<Int>]

    /// - Parameter depth: So many levels of brackets are read; what is deeper is passed over, which takes much less time.
    package init(_ source: SourceText, depth: Int = JSONLimits.depth) {
        self.source = source
        (nodes, comments) = source.bytes.withUnsafeBufferPointer { bytes in
            var scan = JSONOutlineScan(bytes, depth: depth)
            scan.run()
            guard !scan.isBalanced else { return (scan.nodes, scan.comments) }
            // Brackets do not say what belongs together; lines that begin further left do.
            var byLines = JSONOutlineScan(bytes, depth: depth, usesIndentation: true)
            byLines.run()
            return (byLines.nodes, byLines.comments)
        }
    }

    package func pointer(_ node: Int) -> JSONPointer {
        var tokens: [String] = []
        var here = node
        while nodes.indices.contains(here), let parent = nodes[here].parent {
            tokens.append(nodes[here].token)
            here = parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }

    package func node(at pointer: JSONPointer) -> Int? {
        guard !nodes.isEmpty else { return nil }
        var here = 0
        for token in pointer.tokens {
            guard let next = child(token, of: here) else { return nil }
            here = next
        }
        return here
    }

    /// The first member of a name, or the element of an index.
    package func child(_ token: String, of node: Int) -> Int? {
        switch nodes[node].kind {
        case .object: nodes[node].children.first { nodes[$0].key != nil && sameText(nodes[$0].token, token) }
        case .array:
            JSONPointer.arrayIndex(token).flatMap {
                $0 < nodes[node].children.count ? nodes[node].children[$0] : nil
            }
        default: nil
        }
    }

    /// The innermost value at an offset, its key and its end included.
    package func node(at offset: Int) -> Int? {
        guard let root = nodes.first, root.value.lowerBound <= offset, offset <= root.value.upperBound else {
            return nil
        }
        var here = 0
        while let next = lastChild(of: here, before: offset + 1), offset <= nodes[next].value.upperBound { here = next }
        return here
    }

    /// The last child that begins before an offset.
    private func lastChild(of node: Int, before offset: Int) -> Int? {
        let children = nodes[node].children
        var low = 0
        var high = children.count
        while low < high {
            let middle = (low + high) / 2
            if nodes[children[middle]].whole.lowerBound < offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? children[low - 1] : nil
    }

    /// The value as far as it can be read; of two members of one name the first.
    package func json(_ node: Int = 0) -> JSONValue {
        guard nodes.indices.contains(node) else { return .null }
        let here = nodes[node]
        switch here.kind {
        case .object:
            var object = JSONObject()
            for child in here.children where nodes[child].key != nil {
                // One that is read already costs a look, not a value.
                if object[nodes[child].token] == nil { object.appendUnique(nodes[child].token, json(child)) }
            }
            return .object(object)
        case .array: return .array(here.children.map { json($0) })
        case .string: return .string(here.text ?? "")
        case .number:
            let text = written(here.value)
            return Int64(text).map { .integer($0) }
                ?? Double(text).flatMap { $0.isFinite ? .some(.number($0)) : .none } ?? .null
        case .word:
            let text = written(here.value)
            return text == "true" ? .bool(true) : text == "false" ? .bool(false) : .null
        case .missing: return .null
        }
    }

    /// The bytes of a part of a text, given in UTF-8 of the text without escapes.
    package func range(ofText part: Range<Int>, in node: Int) -> Range<Int>? {
        guard nodes.indices.contains(node), nodes[node].kind == .string, let text = nodes[node].text,
            part.lowerBound >= 0, part.upperBound <= text.utf8.count
        else { return nil }
        let content = contentRange(node)
        return source.bytes.withUnsafeBufferPointer { bytes -> Range<Int>? in
            var decoded = 0
            var offset = content.lowerBound
            var start: Int?
            var end: Int?
            while offset < content.upperBound, end == nil {
                let piece = JSONOutlineScan.piece(of: bytes, from: offset, to: content.upperBound)
                let length = piece.scalar.map { UTF8.width($0) } ?? piece.end - offset
                if start == nil, part.lowerBound < decoded + length {
                    start = piece.scalar == nil ? offset + part.lowerBound - decoded : offset
                }
                if part.upperBound <= decoded + length, start != nil || part.isEmpty {
                    let isPlain = piece.scalar == nil || part.upperBound == decoded
                    end = isPlain ? offset + part.upperBound - decoded : piece.end
                }
                decoded += length
                offset = piece.end
            }
            if decoded == part.upperBound, end == nil { end = offset }
            // Bytes that are not UTF-8 are longer in the text, which has no end there.
            guard let end else { return nil }
            let first = start ?? end
            return first <= end && content.lowerBound <= first && end <= content.upperBound ? first..<end : nil
        }
    }

    /// Bytes of the text as they are.
    package func written(_ range: Range<Int>) -> String { String(decoding: source.bytes[range], as: UTF8.self) }

    /// The bytes of a text between its quotes.
    package func contentRange(_ node: Int) -> Range<Int> {
        JSONOutlineScan.content(of: nodes[node].value, isClosed: nodes[node].isClosed)
    }

    /// The bytes of a member's name between its quotes.
    package func keyContent(_ node: Int) -> Range<Int>? {
        guard let key = nodes[node].key else { return nil }
        guard source.bytes[key.lowerBound] == UInt8(ascii: "\"") else { return key }
        return JSONOutlineScan.content(of: key, isClosed: isQuoted(key))
    }

    /// Whether a range has a quote at both ends.
    package func isQuoted(_ range: Range<Int>) -> Bool {
        range.count > 1 && source.bytes[range.lowerBound] == UInt8(ascii: "\"")
            && source.bytes[range.upperBound - 1] == UInt8(ascii: "\"")
    }

    package func spot(at offset: Int) -> Spot {
        guard offset >= 0, offset <= source.bytes.count, !isInComment(offset) else { return .other }
        guard let root = nodes.first else { return .value(node: nil, parent: nil, typed: offset..<offset) }
        guard let container = container(at: offset) else {
            return !root.isContainer && isTyped(root.value, isClosed: root.isClosed, at: offset)
                ? .value(node: 0, parent: nil, typed: root.value) : .other
        }
        let isObject = nodes[container].kind == .object
        let fresh =
            isObject
            ? Spot.key(object: container, typed: offset..<offset)
            : .value(node: nil, parent: container, typed: offset..<offset)
        guard let last = lastChild(of: container, before: offset + 1) else { return fresh }
        let child = nodes[last]
        if let key = child.key, offset <= key.upperBound {
            return isTyped(key, isClosed: isQuoted(key), at: offset) ? .key(object: container, typed: key) : .other
        }
        if child.kind != .missing, offset <= child.value.upperBound {
            return offset >= child.value.lowerBound && isTyped(child.value, isClosed: child.isClosed, at: offset)
                ? .value(node: last, parent: container, typed: child.value) : .other
        }
        if hasComma(from: child.value.upperBound, to: offset) { return fresh }
        // A value is missing behind the colon; without one its place is that of the key's end.
        guard child.kind == .missing, child.value.lowerBound > (child.key?.upperBound ?? 0) else { return .other }
        return offset >= child.value.lowerBound
            ? .value(node: last, parent: container, typed: offset..<offset) : .other
    }

    /// The innermost object or list between whose brackets an offset is.
    private func container(at offset: Int) -> Int? {
        func holds(_ node: Node) -> Bool {
            node.isContainer && node.value.lowerBound < offset
                && (offset < node.value.upperBound || (!node.isClosed && offset == node.value.upperBound))
        }
        guard let root = nodes.first, holds(root) else { return nil }
        var here = 0
        while let next = lastChild(of: here, before: offset), holds(nodes[next]) { here = next }
        return here
    }

    /// Whether an offset is where a text or word is being typed. At the quotes of one that is closed nothing is.
    private func isTyped(_ range: Range<Int>, isClosed: Bool, at offset: Int) -> Bool {
        let isText = range.lowerBound < range.upperBound && source.bytes[range.lowerBound] == UInt8(ascii: "\"")
        guard isText else { return range.lowerBound <= offset && offset <= range.upperBound }
        return range.lowerBound < offset && (isClosed ? offset < range.upperBound : offset <= range.upperBound)
    }

    private func isInComment(_ offset: Int) -> Bool {
        let after = comments.partitioningIndex { $0.lowerBound >= offset }
        guard after > 0 else { return false }
        let range = comments[after - 1]
        // At the end of a line comment one still types in it.
        let isLine = range.count > 1 && source.bytes[range.lowerBound + 1] == UInt8(ascii: "/")
        return offset < range.upperBound || (isLine && offset == range.upperBound)
    }

    /// The first byte from an offset on that is neither blank nor in a comment; `nil` where there is none.
    package func firstToken(from offset: Int) -> Int? {
        var place = offset
        var comment = comments.partitioningIndex { $0.lowerBound >= offset }
        while place < source.bytes.count {
            if comment < comments.count, comments[comment].lowerBound == place {
                place = comments[comment].upperBound
                comment += 1
            } else if JSONOutlineScan.isBlank(source.bytes[place]) {
                place += 1
            } else {
                return place
            }
        }
        return nil
    }

    private func hasComma(from start: Int, to end: Int) -> Bool {
        var offset = start
        var comment = comments.partitioningIndex { $0.lowerBound >= start }
        while offset < end {
            if comment < comments.count, comments[comment].lowerBound == offset {
                offset = comments[comment].upperBound
                comment += 1
            } else if source.bytes[offset] == UInt8(ascii: ",") {
                return true
            } else {
                offset += 1
            }
        }
        return false
    }
}

extension [Range<Int>] {
    /// The first index whose element is true of a condition that is false before and true from there on.
    fileprivate func partitioningIndex(_ condition: (Range<Int>) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
