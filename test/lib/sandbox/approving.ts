/** A browser without scripts, as far as the approval page needs one. */

export interface Choice {
  readonly decision: 'approve' | 'deny';
  /** User name; whoever is selected when left out. */
  readonly account?: string;
}

/** What a page's form sends when nothing is changed. */
export function formIn(page: string): Map<string, string> {
  const hidden = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const selected = /<option value="(\d+)" selected>/.exec(page)?.[1] ?? '';
  return new Map([...hidden.map(([, name = '', value = '']) => [name, value] as const), ['account', selected]]);
}

/** What servers with a page on which people can deny send to who does. */
function denialFor(url: string): Response {
  const {searchParams} = new URL(url);
  const answer = {error: 'access_denied', state: searchParams.get('state') ?? ''};
  const target = searchParams.get('redirect_uri') ?? '';
  if (target.startsWith('urn:')) return Response.json(answer, {status: 401});
  return new Response(null, {status: 302, headers: {location: `${target}?${new URLSearchParams(answer)}`}});
}

/** Opens an approval page and allows what is asked, or denies it. Redirects are not followed. */
export async function decideOn(url: string, {decision, account}: Choice): Promise<Response> {
  if (decision === 'deny') return denialFor(url);
  const opened = await fetch(url, {headers: {accept: 'text/html'}, redirect: 'manual'});
  const page = await opened.text();
  if (opened.status !== 200) throw new Error(`There is no approval page: ${opened.status} ${page}`);
  const form = formIn(page);
  const chosen = account === undefined ? undefined : new RegExp(`<option value="(\\d+)"[^>]*>@${account}<`).exec(page)?.[1];
  if (chosen !== undefined) form.set('account', chosen);
  return fetch(new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', url), {
    method: 'POST',
    headers: {accept: 'text/html'},
    body: new URLSearchParams([...form]),
    redirect: 'manual',
  });
}

/** The query of the address that a decision sends the browser to. */
export async function answerTo(url: string, choice: Choice): Promise<URLSearchParams> {
  const {status, headers} = await decideOn(url, choice);
  if (status !== 302) throw new Error(`The browser is not sent anywhere: ${status}`);
  return new URL(headers.get('location') ?? '').searchParams;
}

/** The scopes of the token that a new client gets after an account has approved a scope. */
export async function approvedScopes(
  {url}: {readonly url: string},
  {account, scope, registered = scope}: {readonly account: string; readonly scope: string; readonly registered?: string},
): Promise<unknown> {
  const redirectUri = 'http://127.0.0.1:9/callback';
  const post = async (path: string, fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> =>
    JSON.parse(
      await (await fetch(url + path, {method: 'POST', body: new URLSearchParams(fields), headers: {accept: 'application/json'}})).text(),
    );
  const {client_id = '', client_secret = ''} = await post('/api/v1/apps', {
    client_name: 'Test',
    redirect_uris: redirectUri,
    scopes: registered,
  });
  const query = new URLSearchParams({response_type: 'code', client_id, redirect_uri: redirectUri, scope});
  const answer = await answerTo(`${url}/oauth/authorize?${query}`, {decision: 'approve', account});
  const code = answer.get('code') ?? '';
  const {access_token: token, scope: said} = await post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id,
    client_secret,
    redirect_uri: redirectUri,
    code,
  });
  if (said !== undefined) return said.split(' ');
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()).scopes;
}
