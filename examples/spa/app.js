"use strict";

// A single-page app: it signs people in with MSAL for browsers, and asks the API for their tasks.

const element = (id) => document.getElementById(id);

function show(text, { signIn = false, load = false } = {}) {
  element("status").textContent = text;
  element("sign-in").hidden = !signIn;
  element("load").hidden = !load;
}

async function start() {
  const settings = await (await fetch("/settings.json")).json();
  const client = new msal.PublicClientApplication({
    auth: {
      clientId: settings.clientId, authority: settings.authority, knownAuthorities: [new URL(settings.authority).host],
      redirectUri: `${location.origin}/`,
    },
  });
  await client.initialize();
  const request = { scopes: settings.scopes };

  element("sign-in").onclick = () => client.loginRedirect(request).catch(failed);
  element("load").onclick = async () => {
    try {
      const { accessToken } = await client.acquireTokenSilent({ ...request, account: client.getAllAccounts()[0] });
      const answer = await fetch("/tasks", { headers: { Authorization: `Bearer ${accessToken}` } });
      show(answer.ok ? (await answer.json()).tasks.join(", ") : `The API answers ${answer.status}`, { load: true });
    } catch (error) {
      failed(error);
    }
  };

  function failed(error) {
    // The session is over: only the person can go on.
    if (error.name === "InteractionRequiredAuthError") show("Sign in again", { signIn: true });
    else show(`Signing in fails: ${error.errorCode ?? error.message}`, { signIn: true });
  }

  try {
    await client.handleRedirectPromise();
  } catch (error) {
    failed(error);
    return;
  }
  const [account] = client.getAllAccounts();
  if (account) show(`Hello ${account.name}`, { load: true });
  else show("Nobody is signed in", { signIn: true });
}

start();
