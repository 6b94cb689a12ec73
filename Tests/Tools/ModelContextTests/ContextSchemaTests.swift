import JSON
import ModelContext
import Testing

struct ContextSchemaTests {
    @Test(
        arguments: [
            (#"{"type":"integer"}"#, "1.0", []),
            (#"{"type":"integer"}"#, "1.5", ["The value is number, expected integer."]),
            (#"{"type":["string","null"]}"#, "null", []),
            (#"{"type":["string","null"]}"#, "1", ["The value is number, expected string or null."]),
            (#"{"const":{"a":1}}"#, #"{"a":1}"#, []), (#"{"const":1}"#, "2", ["The value is not 1."]),
            (#"{"enum":["har","log"]}"#, #""har""#, []),
            (#"{"enum":["har","log"]}"#, #""hra""#, [#"The value is not one of ["har","log"]. Did you mean "har"?"#]),
            (#"{"minimum":1,"maximum":3}"#, "2", []), (#"{"minimum":1}"#, "0", ["The value is less than 1."]),
            (#"{"maximum":3}"#, "3.5", ["The value is more than 3."]), (#"{"minItems":1,"maxItems":2}"#, "[1,2]", []),
            (#"{"maxItems":1}"#, "[1,2]", ["The value has more than 1."]),
            (#"{"anyOf":[{"type":"string"},{"type":"array"}]}"#, "[]", []),
            (#"{"anyOf":[{"type":"string"}]}"#, "1", ["The value has none of the forms that are allowed."]),
            (#"{"items":{"type":"string"}}"#, #"["a",1]"#, ["`/1` is number, expected string."]),
            (#"{"required":["a","b"]}"#, #"{"b":1}"#, ["`/a` is missing. It is required."]),
            (
                #"{"properties":{"a":{"properties":{"b":{"type":"object"}}}}}"#, #"{"a":{"b":[]}}"#,
                ["`/a/b` is array, expected object."]
            ),
            (
                #"{"properties":{"folder":{}},"additionalProperties":false}"#, #"{"foldr":1,"zzz":1}"#,
                ["`/foldr` is not known. Did you mean `folder`?", "`/zzz` is not known. Known: folder."]
            ),
            (#"{"additionalProperties":false}"#, #"{"a":1}"#, ["`/a` is not known. None are."]),
            (#"{"additionalProperties":{"type":"string"}}"#, #"{"a":1}"#, ["`/a` is number, expected string."]),
            (#"{"properties":{"a":false}}"#, #"{"a":1}"#, ["`/a` is not allowed."]), ("true", "1", []),
            (#"{"title":"t","description":"d"}"#, "1", []),
            (#"{"pattern":"x"}"#, "1", ["The schema has `pattern`, which is not checked."]),
        ] as [(String, String, [String])])
    func `a value is checked`(_ schema: String, value: String, problems: [String]) throws {
        let found = ContextSchema.problems(of: try JSONParser.parse(value), in: try JSONParser.parse(schema))
        #expect(found == problems)
    }
}
