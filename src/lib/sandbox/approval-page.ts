import type {Account} from './world.js';
import {html, raw} from 'hono/html';

export interface Approval {
  /** Name of the program that asks; it chose that itself. */
  readonly client: string;
  /** Host of the server. */
  readonly server: string;
  readonly scopes: readonly string[];
  /** Everybody who can approve. */
  readonly accounts: readonly Account[];
  /** Id of the account that is offered first. */
  readonly signedIn: string;
  /** Host that the browser is sent to afterwards; null when a code is shown instead. */
  readonly returnsTo: string | null;
  /** Identifies the request in the form. */
  readonly key: string;
}

const meanings: Readonly<Record<string, string>> = {
  'admin:read:domain_blocks': 'If you are an admin: see what the server blocks',
  'admin:write:domain_blocks': 'If you are an admin: change what the server blocks',
  read: 'See your profile, messages, notifications and filters',
  write: 'Send messages and change your filters and blocks',
  follow: 'Follow, mute and block people',
  push: 'Change what a device is notified of',
  'admin:read': 'If you are an admin: see reports and what the server blocks',
  'admin:write': 'If you are an admin: handle reports and change what the server blocks',
};

/** The page on which people approve what a program asks for. It works without scripts. */
export async function approvalPage({client, server, scopes, accounts, signedIn, returnsTo, key}: Approval): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Approve ${client}?</title>
<style>${raw(approvalStyle)}</style>
</head>
<body>
<main>
<p class="server">${server}</p>
<h1><strong>${client}</strong> wants to act for you</h1>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${key}">
<label for="account">Your account</label>
<select id="account" name="account">
${accounts.map(({id, username}) => html`<option value="${id}"${id === signedIn ? raw(' selected') : ''}>@${username}</option>\n`)}</select>
<h2>It will be able to</h2>
<ul>
${scopes.map((scope) => html`<li>${meanings[scope] ?? ''} <code>${scope}</code></li>\n`)}</ul>
<div class="buttons">
<button name="decision" value="approve" class="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>
<p class="after">${returnsTo === null ? 'You will then see a code to paste.' : html`You will then be sent to ${returnsTo}.`}</p>
</main>
<footer>pixelctl sandbox: a local test server</footer>
</body>
</html>
`;
  return page.toString();
}

/** Styles for light and dark mode. */
const approvalStyle = `
:root {
  --page: #f1f3f6; --card: #fff; --line: #d7dce3; --text: #1b212a; --quiet: #5d6876; --accent: #2753c9; --on-accent: #fff;
  font: 16px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151a; --card: #1c2129; --line: #38414e; --text: #e7ebf0; --quiet: #9aa6b5; --accent: #89a9ff; --on-accent: #10182c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 24px 16px; color: var(--text); background: var(--page);
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px;
}
main {
  width: 100%; max-width: 420px; padding: 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 8px 32px rgb(0 0 0 / 8%);
}
h1 { margin: 4px 0 24px; font-size: 22px; font-weight: 400; line-height: 1.3; overflow-wrap: anywhere; }
h2, label { display: block; margin: 0 0 8px; font-size: 14px; font-weight: 600; color: var(--quiet); }
.server, .after, footer { margin: 0; font-size: 14px; color: var(--quiet); overflow-wrap: anywhere; }
select {
  width: 100%; margin: 0 0 24px; padding: 11px 13px; font: inherit; color: inherit; background: var(--page);
  border: 0; border-right: 12px solid transparent; border-radius: 10px; box-shadow: 0 0 0 1px var(--line);
}
ul { margin: 0 0 28px; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li {
  display: flex; align-items: baseline; justify-content: space-between; gap: 16px;
  padding: 10px 0; border-bottom: 1px solid var(--line);
}
code { font: 13px ui-monospace, monospace; color: var(--quiet); }
.buttons { display: flex; flex-direction: row-reverse; gap: 12px; margin: 0 0 20px; }
button {
  flex: 1; padding: 12px; font: inherit; font-weight: 600; cursor: pointer; color: inherit;
  background: none; border: 1px solid var(--line); border-radius: 10px;
}
.approve { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
