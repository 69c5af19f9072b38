/** What a write would send, shown instead of sent. Secrets are not in it. */
import {target, type PlannedRequest, type RequestBody} from '../../client/encode.js';
import {redact} from '../../client/redact.js';
import {inert} from '../../output/inert.js';
import type {Connection} from '../connection.js';
import {writeOut} from '../standard-streams.js';

function shownBody(body: RequestBody | undefined): unknown {
  if (body === undefined) return null;
  if ('json' in body) return body.json;
  return Object.fromEntries(body.multipart.map(([name, value]) => [name, typeof value === 'string' ? value : `@${value.file}`]));
}

function shownHeaders(request: PlannedRequest): Record<string, string> {
  const type = request.body === undefined ? undefined : 'json' in request.body ? 'application/json' : 'multipart/form-data';
  return {
    accept: 'application/json',
    ...request.headers,
    ...(type !== undefined && {'content-type': type}),
    ...(request.token !== 'never' && {authorization: 'Bearer $PIXELCTL_TOKEN'}),
  };
}

/** Repeated names become lists, as `types[]`. */
function shownQuery(query: PlannedRequest['query']): Record<string, string[] | string> {
  const shown: Record<string, string[] | string> = {};
  for (const [name, value] of query) shown[name] = name.endsWith('[]') ? [...(shown[name] ?? []), value] : value;
  return shown;
}

function forScripts(request: PlannedRequest): string {
  const {method, path, query} = request;
  const shown = {method, path, query: shownQuery(query), headers: shownHeaders(request), body: shownBody(request.body)};
  return redact(JSON.stringify(shown), request.secrets.map((secret) => JSON.stringify(secret).slice(1, -1)));
}

function forPeople(request: PlannedRequest, origin: string): string {
  const headers = Object.entries(shownHeaders(request)).map(([name, value]) => `  ${name}: ${value}`);
  const body = request.body === undefined ? [] : ['', ...JSON.stringify(shownBody(request.body), null, 2).split('\n').map((line) => `  ${line}`)];
  const lines = [`${request.method} ${origin}${target(request)}`, ...headers, ...body];
  return redact(lines.map((line) => inert(line)).join('\n'), request.secrets);
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command line that sends the request; the token stands in it as the shell's own variable. */
function forShell(request: PlannedRequest, origin: string): string {
  const {method, body} = request;
  const headers = Object.entries(shownHeaders(request)).map(([name, value]) => {
    const header = `${name}: ${value}`;
    // Double quotes, for the shell to put the token in.
    return `--header ${name === 'authorization' ? `"${header}"` : shellWord(header)}`;
  });
  const isForm = body !== undefined && 'multipart' in body;
  const fields = isForm
    ? body.multipart.map(([name, value]) => `--form ${shellWord(`${name}=${typeof value === 'string' ? value : `@${value.file}`}`)}`)
    : body === undefined
      ? []
      : [`--data-raw ${shellWord(JSON.stringify(body.json))}`];
  // curl makes the boundary of a form itself.
  const kept = headers.filter((header) => !(isForm && header.includes('multipart/form-data')));
  return redact([`curl --request ${method} ${shellWord(origin + target(request))}`, ...kept, ...fields].join(' \\\n  '), request.secrets);
}

export async function printPlans(requests: readonly PlannedRequest[], {session, server}: Connection): Promise<void> {
  if (session.format === 'json') {
    await writeOut(`{"dry_run": true, "requests": [${requests.map(forScripts).join(', ')}]}\n`);
    return;
  }
  const {origin} = server;
  const shown = session.asCurl
    ? requests.map((request) => `${forShell(request, origin)}\n`).join('')
    : requests.map((request) => `${forPeople(request, origin)}\n`).join('\n');
  await writeOut(shown);
  if (!session.asCurl) session.note('Nothing was sent.');
}
