import JSON

extension PageField {
    /// Reads an entry of `SA_FIELDS`; `nil` without an id. Members that are missing or of another type count as unset.
    init?(json: JSONValue) {
        guard let id = json["ID"]?.stringValue else { return nil }
        var type = json["UX_INPUT_TYPE"]?.stringValue ?? json["USER_INPUT_TYPE"]?.stringValue ?? "TextBox"
        var control = json["DISPLAY_CONTROL_TYPE"]?.stringValue
        // Live pages write the kind of a display control in the place of the kind of field (seen in published clients).
        if json["USER_INPUT_TYPE"]?.stringValue == PageInputType.displayControl.rawValue, type != "DisplayControl" {
            control = control ?? type
            type = PageInputType.displayControl.rawValue
        }
        self.init(
            id: id, displayName: json["DN"]?.stringValue ?? "", inputType: PageInputType(rawValue: type),
            isRequired: json["IS_REQ"]?.boolValue ?? false, isReadOnly: json["IS_RDO"]?.boolValue ?? false,
            verify: json["VERIFY"]?.boolValue ?? false, prefilled: json["PRE"]?.stringValue,
            pattern: json["PAT"]?.stringValue, patternDescription: json["PAT_DESC"]?.stringValue,
            help: json["U_HELP"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 },
            options: (json["OPTIONS"]?.arrayValue ?? []).compactMap(PageOption.init),
            inputValidation: json["INPUT_VALIDATION"].flatMap(PageInputValidation.init),
            displayFields: (json["DISPLAY_FIELDS"]?.arrayValue ?? []).compactMap { PageField(json: $0) },
            controlType: control)
    }

    /// The entry as the page holds it, members in the order recorded; those that are false, empty or zero are there too.
    /// Where `PRE` and `INPUT_VALIDATION` stand is inferred. `DISPLAY_CONTROL_TYPE` is this project's name for the kind of
    /// a control.
    var json: JSONValue {
        var object = JSONObject()
        object.append("UX_INPUT_TYPE", .string(inputType.rawValue))
        object.append("USER_INPUT_TYPE", .string(inputType.rawValue))
        for flag in PageInputType.shortcuts { object.append(flag, .bool(flag == inputType.shortcut)) }
        object.append("VERIFY", .bool(verify))
        object.append("DN", .string(displayName))
        object.append("ID", .string(id))
        object.append("U_HELP", .string(help ?? ""))
        object["PRE"] = prefilled.map { .string($0) }
        let date = prefilledDate
        object.append("DAY_PRE", .string(date.day))
        object.append("MONTH_PRE", .string(date.month))
        object.append("YEAR_PRE", .string(date.year))
        object["PAT"] = pattern.map { .string($0) }
        object["PAT_DESC"] = patternDescription.map { .string($0) }
        object.append("IS_REQ", .bool(isRequired))
        object.append("IS_RDO", .bool(isReadOnly))
        object.append("OPTIONS", .array(options.map(\.json)))
        object["INPUT_VALIDATION"] = inputValidation?.json
        object["DISPLAY_CONTROL_TYPE"] = controlType.map { .string($0) }
        if inputType == .displayControl || !displayFields.isEmpty {
            object.append("DISPLAY_FIELDS", .array(displayFields.map(\.json)))
        }
        return .object(object)
    }

    /// The parts of the date that the field starts with, without leading zeros (inferred). Each is `0` if there is no
    /// date (recorded).
    private var prefilledDate: (day: String, month: String, year: String) {
        let parts = (prefilled ?? "").split(separator: "-").map { Int($0) }
        guard inputType == .dateTimeDropdown, parts.count == 3, let year = parts[0], let month = parts[1],
            let day = parts[2]
        else { return ("0", "0", "0") }
        return (String(day), String(month), String(year))
    }
}

extension PageOption {
    init?(json: JSONValue) {
        guard let value = json["VAL"]?.scalarText else { return nil }
        self.init(value: value, display: json["DISP"]?.scalarText ?? value)
    }

    var json: JSONValue {
        .object(JSONObject([("VAL", .string(value)), ("DISP", .string(display))]))
    }
}

extension PageInputValidation {
    init?(json: JSONValue) {
        guard let groups = json["PREDICATE_GROUPS"]?.arrayValue else { return nil }
        self.init(groups: groups.map { PagePredicateGroup(json: $0) })
    }

    var json: JSONValue {
        .object(JSONObject([("PREDICATE_GROUPS", .array(groups.map(\.json)))]))
    }
}

extension PagePredicateGroup {
    init(json: JSONValue) {
        let predicates = (json["PREDICATES"]?.arrayValue ?? []).compactMap(PagePredicate.init)
        self.init(
            id: json["ID"]?.stringValue ?? "", help: json["HELP_TEXT"]?.stringValue ?? "",
            matchAtLeast: json["MATCH_AT_LEAST"]?.intValue.flatMap(Int.init(exactly:)) ?? predicates.count,
            rejects: json["REJECT"]?.boolValue ?? false, predicates: predicates)
    }

    var json: JSONValue {
        var object = JSONObject([
            ("ID", .string(id)), ("HELP_TEXT", .string(help)), ("MATCH_AT_LEAST", .integer(Int64(matchAtLeast))),
        ])
        if rejects { object.append("REJECT", true) }
        object.append("PREDICATES", .array(predicates.map(\.json)))
        return .object(object)
    }
}

extension PagePredicate {
    init?(json: JSONValue) {
        guard let number = json["METHOD"]?.intValue.flatMap(Int.init(exactly:)), let method = Method(rawValue: number)
        else { return nil }
        self.init(
            id: json["ID"]?.stringValue ?? "", method: method,
            parameters: (json["PARAMS"]?.objectValue?.members ?? []).compactMap { key, value in
                value.scalarText.map { RuleParameter(name: key, value: $0) }
            },
            help: json["HELP_TEXT"]?.stringValue ?? "")
    }

    var json: JSONValue {
        .object(
            JSONObject([
                ("ID", .string(id)), ("METHOD", .integer(Int64(method.rawValue))),
                ("PARAMS", .object(JSONObject(parameters.map { ($0.name, .string($0.value)) }))),
                ("HELP_TEXT", .string(help)),
            ]))
    }
}

extension PageChoice {
    init?(json: JSONValue) {
        guard let id = json["id"]?.stringValue else { return nil }
        self.init(
            id: id, description: json["description"]?.stringValue ?? id,
            displayType: json["displayType"]?.stringValue)
    }

    var json: JSONValue {
        var object = JSONObject([("id", .string(id)), ("description", .string(description))])
        object["displayType"] = displayType.map { .string($0) }
        return .object(object)
    }
}

extension PagePhone {
    init?(json: JSONValue) {
        guard let id = json["Id"]?.intValue.flatMap(Int.init(exactly:)) else { return nil }
        self.init(id: id, maskedNumber: json["MaskedNumber"]?.stringValue ?? "")
    }

    var json: JSONValue {
        .object(JSONObject([("Id", .integer(Int64(id))), ("MaskedNumber", .string(maskedNumber))]))
    }
}

extension JSONValue {
    /// The text of a scalar; pages write some numbers as texts and the other way round.
    var scalarText: String? {
        switch self {
        case .string(let text): text
        case .integer, .number, .bool: JSONWriter.compact(self)
        default: nil
        }
    }
}
