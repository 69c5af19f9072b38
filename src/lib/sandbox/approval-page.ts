import {html, raw} from 'hono/html';
import {style} from './approval-style.js';
import type {Account} from './model.js';

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
  /** What the form says the request by. */
  readonly key: string;
}

const meanings: Readonly<Record<string, string>> = {
  read: 'See your profile, messages, notifications and filters',
  write: 'Send messages and change your filters and blocks',
  follow: 'Follow, mute and block people',
  push: 'Change what a device is notified of',
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
<style>${raw(style)}</style>
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
<footer>A server in memory, to try things on</footer>
</body>
</html>
`;
  return page.toString();
}
