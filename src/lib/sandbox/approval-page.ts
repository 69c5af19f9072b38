import type {Account} from './world.js';
import {pageFrame} from '../print/html-page.js';
import {markup} from '../print/markup.js';

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
export function approvalPage({client, server, scopes, accounts, signedIn, returnsTo, key}: Approval): string {
  const {begin, end} = pageFrame({title: `Approve ${client}?`, style: approvalStyle, isSent: true});
  const {text} = markup`<main>
<p class="server">${server}</p>
<h1><strong>${client}</strong> wants to act for you</h1>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${key}">
<label for="account">Your account</label>
<select id="account" name="account">
${accounts.map(({id, username}) => markup`<option value="${id}"${id === signedIn ? markup` selected` : undefined}>@${username}</option>\n`)}</select>
<h2>It will be able to</h2>
<ul>
${scopes.map((scope) => markup`<li>${meanings[scope]} <code>${scope}</code></li>\n`)}</ul>
<div class="buttons">
<button name="decision" value="approve" class="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>
<p class="after">${returnsTo === null ? 'You will then see a code to paste.' : `You will then be sent to ${returnsTo}.`}</p>
</main>
<footer>pixelctl sandbox: a local test server</footer>
`;
  return begin + text + end;
}

const approvalStyle = `
:root { --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --on-accent: #10182c; } }
body {
  min-height: 100vh; padding: 24px 16px;
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px;
}
main {
  width: 100%; max-width: 420px; padding: 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 8px 32px rgb(0 0 0 / 8%);
}
h1 { margin: 4px 0 24px; font-size: 22px; font-weight: 400; line-height: 1.3; }
h2, label { display: block; margin: 0 0 8px; font-size: 14px; font-weight: 600; color: var(--muted); }
.server, .after, footer { margin: 0; font-size: 14px; color: var(--muted); }
select {
  width: 100%; margin: 0 0 24px; padding: 11px 13px; font: inherit; color: inherit; background: var(--page);
  border: 0; border-right: 12px solid transparent; border-radius: 10px; box-shadow: 0 0 0 1px var(--line);
}
ul { margin: 0 0 28px; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li {
  display: flex; align-items: baseline; justify-content: space-between; gap: 16px;
  padding: 10px 0; border-bottom: 1px solid var(--line);
}
code { font: 13px ui-monospace, monospace; color: var(--muted); overflow-wrap: normal; }
.buttons { display: flex; flex-direction: row-reverse; gap: 12px; margin: 0 0 20px; }
button {
  flex: 1; padding: 12px; font: inherit; font-weight: 600; cursor: pointer; color: inherit;
  background: none; border: 1px solid var(--line); border-radius: 10px;
}
.approve { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button:hover { filter: brightness(1.08); }
`;
