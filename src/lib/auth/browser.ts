/** The browser of a sign-in: opened on this machine, and received on a loopback port when the server sends it back. */
import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {Failure, localFailure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long a launcher takes to find out that there is no browser, in milliseconds. */
const launchTime = 1500;

/** Why no browser can be opened here, as far as the environment shows; undefined when nothing speaks against it. */
export function whyNoBrowser(environment: Environment = process.env, platform: string = process.platform): string | undefined {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  // Who sets it over SSH means a way back to the browser at the other end.
  if (platform === 'linux' && has('BROWSER')) return undefined;
  if (has('SSH_CONNECTION')) return 'this is a session over SSH';
  const displays = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'];
  return platform === 'linux' && !displays.some(has) ? 'this machine has no display' : undefined;
}

/** The exit status of a launcher; 0 for one that goes on, as it has become the browser. */
function endOf(launcher: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, launchTime, 0);
    launcher.once('exit', (status) => {
      clearTimeout(timer);
      resolve(status);
    });
  });
}

/** Opens an address in the browser; says why when that does not work, and never fails. */
export async function openBrowser(url: string): Promise<string | undefined> {
  const why = whyNoBrowser();
  if (why !== undefined) return why;
  try {
    const {default: open} = await import('open');
    const launcher = await open(url);
    const status = launcher.exitCode ?? (await endOf(launcher));
    return status === 0 ? undefined : 'no browser was found';
  } catch {
    return 'the browser could not be started';
  }
}

const pages = {
  approved: {title: 'Approved', text: 'Go back to the terminal to finish. You can close this page.'},
  refused: {title: 'Not signed in', text: 'The sign-in was not approved. Go back to the terminal for details. You can close this page.'},
  stray: {
    title: 'Not this sign-in',
    text: 'This is not the answer that the terminal waits for. It still waits: follow the newest link that it shows.',
  },
  nothing: {title: 'Nothing here', text: 'This address only receives the browser at the end of a sign-in.'},
} as const;

const style = `
:root { color-scheme: light dark; --page: #f1f3f6; --text: #1b212a; --quiet: #5d6876; font: 16px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --page: #12151a; --text: #e7ebf0; --quiet: #9aa6b5; } }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center; padding: 16px; box-sizing: border-box;
  color: var(--text); background: var(--page); }
h1 { margin: 0 0 8px; font-size: 28px; font-weight: 600; }
p { margin: 0; max-width: 26em; color: var(--quiet); }
`;

export function callbackPage(what: keyof typeof pages): string {
  const {title, text} = pages[what];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · pixelctl</title>
<style>${style}</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}

const loopback = '127.0.0.1';
const path = '/callback';

/** Where servers are to send the browser. */
export const redirectUriAt = (port: number): string => `http://${loopback}:${port}${path}`;

export interface CallbackOptions {
  /** Ports to listen on, of which the first free one is used; 0 is any. */
  readonly ports: readonly [number, ...number[]];
  /** Milliseconds until it gives up. */
  readonly patience: number;
}

export interface Callback {
  readonly redirectUri: string;
  /**
   * Waits for the browser with the answer to one sign-in. Whatever else comes is turned away.
   * @param state what the answer has to bring along
   * @param tellOfStray hears once of a failure without a state, which older servers send: nothing shows that it belongs to this sign-in
   * @returns the query that the browser came with
   * @throws Failure `auth` when it does not come in time, `interrupted` when it is closed before
   */
  answer(state: string, tellOfStray?: (error: string) => void): Promise<URLSearchParams>;
  /** Ends all connections and gives the port back; who still waits for the answer gets a Failure. */
  close(): Promise<void>;
}

async function isListening(server: Server, port: number): Promise<boolean> {
  try {
    server.listen(port, loopback);
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return false;
    throw localFailure(`Cannot listen on port ${port}`, error);
  }
}

async function listen(server: Server, ports: CallbackOptions['ports']): Promise<number> {
  for (const port of ports) {
    if (!(await isListening(server, port))) continue;
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }
  throw new Failure('local', `Port ${ports[0]} is in use, so the browser could not come back to it`, {
    hint: 'choose another port with --port, or leave it out',
  });
}

function reply(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    // The address holds the code.
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(page);
}

/** What a request brings: an answer that is expected or not, nothing, or something that is no request of a browser to this place. */
type Visit = {readonly kind: 'answer' | 'stray'; readonly query: URLSearchParams} | {readonly kind: 'none'; readonly status: 400 | 404};

function visitOf({method, url = '', headers}: IncomingMessage, origin: string, state: string | undefined): Visit {
  // A page of another name that leads here, as by rebinding it, has that name in Host.
  const isAddressed = headers.host !== undefined && `http://${headers.host}` === origin;
  if (!isAddressed || !url.startsWith('/') || !URL.canParse(url, origin)) return {kind: 'none', status: 400};
  const {origin: named, pathname, searchParams: query} = new URL(url, origin);
  if (named !== origin) return {kind: 'none', status: 400};
  if (method !== 'GET' || pathname !== path) return {kind: 'none', status: 404};
  const [given, ...more] = query.getAll('state');
  const isExpected = state !== undefined && given === state && more.length === 0;
  if (isExpected && (query.has('code') || query.has('error'))) return {kind: 'answer', query};
  return query.has('code') || query.has('error') || given !== undefined ? {kind: 'stray', query} : {kind: 'none', status: 404};
}

/** @throws Failure `local` when none of the ports is free */
export async function receiveCallback({ports, patience}: CallbackOptions): Promise<Callback> {
  const {promise, resolve, reject} = Promise.withResolvers<URLSearchParams>();
  let waiting: {readonly state: string; readonly tellOfStray: ((error: string) => void) | undefined} | undefined;
  let isOver = false;
  let isStrayTold = false;
  const server = createServer((request, response) => {
    const visit = visitOf(request, new URL(redirectUri).origin, isOver ? undefined : waiting?.state);
    if (visit.kind === 'none') return reply(response, visit.status, callbackPage('nothing'));
    const {query} = visit;
    const error = query.get('error');
    if (visit.kind === 'stray') {
      if (waiting !== undefined && !isStrayTold && error !== null && !query.has('state')) {
        isStrayTold = true;
        waiting.tellOfStray?.(error);
      }
      return reply(response, 400, callbackPage('stray'));
    }
    isOver = true;
    // Whoever closes as soon as there is an answer must not take the page away.
    response.once('close', () => resolve(query));
    reply(response, 200, callbackPage(error === null ? 'approved' : 'refused'));
  });
  const redirectUri = redirectUriAt(await listen(server, ports));
  let timer: NodeJS.Timeout | undefined;
  const over = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  // Who closes without having waited need not hear of it.
  promise.then(over, over);
  return {
    redirectUri,
    answer(state, tellOfStray) {
      waiting ??= {state, tellOfStray};
      timer ??= setTimeout(() => {
        reject(
          new Failure('auth', `Nobody approved the sign-in within ${Math.round(patience / 1000)} s`, {
            hint: 'sign in again; with --no-browser where the browser is on another machine',
          }),
        );
      }, patience);
      return promise;
    },
    async close() {
      reject(new Failure('interrupted', 'The sign-in was cancelled'));
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
