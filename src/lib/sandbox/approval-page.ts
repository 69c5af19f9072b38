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

/** The page on which people approve what a program asks for. It works without scripts. */
export function approvalPage({client, server, scopes, accounts, signedIn, returnsTo, key}: Approval): string {
  const style = 'body { max-width: 30em; margin: 15vh auto; padding: 1em; } select, button { font: inherit; padding: 0.5em 1em; }';
  const {begin, end} = pageFrame({title: `Approve ${client}?`, style, isSent: true});
  const option = ({id, username}: Account) =>
    markup`<option value="${id}"${id === signedIn ? markup` selected` : undefined}>@${username}</option>\n`;
  const {text} = markup`<h1>${client} wants to act for you on ${server}</h1>
<p>Scopes:${scopes.map((scope) => markup` <code>${scope}</code>`)}</p>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${key}">
<p><label>Your account <select name="account">
${accounts.map(option)}</select></label></p>
<p><button name="decision" value="approve">Approve</button> <button name="decision" value="deny">Deny</button></p>
</form>
<p>${returnsTo === null ? 'You will then see a code to paste.' : `You will then be sent to ${returnsTo}.`}</p>
`;
  return begin + text + end;
}
