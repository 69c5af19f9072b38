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
