import HTTPMessages
import Markup

/// The page that carries an authorization response by `response_mode=form_post` (OAuth 2.0 Form Post Response Mode):
/// one form that submits itself, with a button for browsers without script.
func formPostPage(to target: String, _ items: FormItems) -> String {
    var inputs = ""
    for item in items.items {
        let id = item.name == "state" ? "id='state_id' " : ""
        inputs +=
            "<input type='hidden' \(id)name='\(HTMLEntities.escaped(item.name))' value='\(HTMLEntities.escaped(item.value))'/>"
    }
    return """
        <!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' \
        'http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd'>\
        <html xmlns='http://www.w3.org/1999/xhtml'><head><title>Logging in...</title>\
        <meta name='CACHE-CONTROL' content='NO-CACHE'/><meta name='PRAGMA' content='NO-CACHE'/>\
        <meta name='EXPIRES' content='-1'/></head><body>\
        <form id='auto' method='post' action='\(HTMLEntities.escaped(target))'>\(inputs)\
        <noscript><p>Script is switched off in this browser.</p><p><button type='submit'>Continue</button></p></noscript>\
        </form><script>\(PageScripts.submit)</script></body></html>
        """
}
