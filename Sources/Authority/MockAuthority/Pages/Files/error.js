(function () {
"use strict";
/*DISARM*/
const request = new XMLHttpRequest();
request.open("GET", document.body.getAttribute("data-template"));
request.timeout = 30000;
request.onload = () => {
  const parsed = new DOMParser().parseFromString(request.responseText, "text/html");
  const place = parsed.getElementById("api"), said = document.getElementById("api");
  if (request.status >= 400 || !place) return;
  parsed.querySelectorAll("script").forEach(script => script.remove());
  disarm(parsed);
  parsed.querySelectorAll("style,link[rel=stylesheet],link[rel~=icon]").forEach(style => document.head.append(style));
  place.replaceWith(said);
  document.body.removeAttribute("class");
  for (const attribute of parsed.body.attributes) document.body.setAttribute(attribute.name, attribute.value);
  document.body.replaceChildren(...parsed.body.childNodes);
};
request.send();
})();
