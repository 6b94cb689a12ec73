// oxlint-disable no-unused-vars -- page.js and error.js have this function at /*DISARM*/.
// Where the policy does not allow scripts, nothing of a template may run.
function disarm(parsed) {
  parsed.querySelectorAll("script,iframe,object,embed,base,meta[http-equiv]").forEach(element => element.remove());
  parsed.querySelectorAll("*").forEach(element => {
    for (const attribute of Array.from(element.attributes)) {
      const isAddress = ["href", "src", "action", "formaction", "xlink:href"].includes(attribute.name);
      if (attribute.name.startsWith("on") || (isAddress && /^\s*(javascript|vbscript|data:text)/i.test(attribute.value))) element.removeAttribute(attribute.name);
    }
  });
}
