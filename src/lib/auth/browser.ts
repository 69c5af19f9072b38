/** The browser part of a sign-in: opens the browser, and receives the redirect on a loopback port. */
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {delimiter} from 'node:path';
import {Failure, localFailure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import {pageFrame} from '../print/html-page.js';
import {markup} from '../print/markup.js';
import type {Environment} from '../files/runtime.js';

/** Milliseconds in which a launcher finds out that there is no browser. */
const launchTime = 1500;

/** Why no browser can be opened here, as far as the environment shows; undefined when it should work. */
export function whyNoBrowser(environment: Environment, platform: string = process.platform): string | undefined {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  // Over SSH, people set BROWSER to a program that opens the browser on their own machine.
  if (has('BROWSER')) return undefined;
  if (has('SSH_CONNECTION')) return 'this is an SSH session';
  const displays = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'];
  return platform === 'linux' && !displays.some(has) ? 'this machine has no display' : undefined;
}

/** The exit status of a launcher; 0 for one that keeps running, because it has become the browser. */
function endOf(launcher: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, launchTime, 0);
    launcher.once('exit', (status) => {
      clearTimeout(timer);
      resolve(status);
    });
  });
}

/**
 * Starts an entry of BROWSER. `%s` stands for the address; without it, the address comes last. No shell runs it, because the address comes
 * from a server.
 */
async function isOpenedBy(entry: string, url: string): Promise<boolean> {
  // A path may contain spaces.
  const [program = '', ...given] = existsSync(entry) ? [entry] : entry.split(/\s+/);
  const args = given.some((arg) => arg.includes('%s')) ? given.map((arg) => arg.replaceAll('%s', () => url)) : [...given, url];
  try {
    const launcher = spawn(program, args, {stdio: 'ignore', detached: true});
    const ended = endOf(launcher);
    await once(launcher, 'spawn');
    launcher.unref();
    return (await ended) === 0;
  } catch {
    return false;
  }
}

/** Opens an address in the browser that BROWSER names, or else that of the desktop. Returns the reason when that does not work; never throws. */
export async function openBrowser(
  url: string,
  environment: Environment = process.env,
  platform: string = process.platform,
): Promise<string | undefined> {
  const why = whyNoBrowser(environment, platform);
  if (why !== undefined) return why;
  const entries = (environment['BROWSER'] ?? '').split(delimiter).map((entry) => entry.trim());
  const named = entries.filter((entry) => entry !== '');
  for (const entry of named) if (await isOpenedBy(entry, url)) return undefined;
  if (named.length > 0) return 'no browser was found';
  try {
    const {default: open} = await import('open');
    const launcher = await open(url);
    const status = launcher.exitCode ?? (await endOf(launcher));
    return status === 0 ? undefined : 'no browser was found';
  } catch {
    return 'the browser could not be started';
  }
}

/** What the browser shows after the redirect. Nothing from the request is repeated on a page. */
const pages = {
  approved: {title: 'Approved', text: 'Go back to the terminal to finish. You can close this page.'},
  refused: {title: 'Not signed in', text: 'The sign-in was not approved. Go back to the terminal for details. You can close this page.'},
  stray: {
    title: 'Not this sign-in',
    text: 'This is not the response that the terminal is waiting for. Open the newest link that the terminal shows.',
  },
} as const;

const style = `
body { min-height: 100vh; display: grid; place-content: center; text-align: center; padding: 16px; }
h1 { margin: 0 0 8px; font-size: 28px; font-weight: 600; }
p { margin: 0; max-width: 26em; color: var(--muted); }
`;

const loopback = '127.0.0.1';
const path = '/callback';

/** A loopback server that receives the redirect of one sign-in. Disposing of it closes all connections and frees the port. */
export interface Callback extends AsyncDisposable {
  readonly redirectUri: string;
  /**
   * Waits for the redirect. Other requests get an error page.
   * @param state the state that the redirect must have
   * @param onStray called once for an error without a state, which older servers send: it may not belong to this sign-in
   * @returns the query of the redirect
   * @throws Failure `auth` when it does not come in time, `interrupted` when this is disposed of first
   */
  answer(state: string, onStray?: (error: string) => void): Promise<URLSearchParams>;
}

/** @returns the port @throws Failure `local` when it is in use */
async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, loopback);
    await once(server, 'listening');
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw localFailure(`Cannot listen on port ${port}`, error);
    throw new Failure('local', `Port ${port} is in use, so it cannot receive the redirect`, {
      hint: 'use another --port, or leave the flag out',
    });
  }
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A server that listens has a port');
  return address.port;
}

function reply(response: ServerResponse, status: number, what: keyof typeof pages): void {
  const {title, text} = pages[what];
  const {begin, end} = pageFrame({title: `${title} · pixelctl`, style});
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // The address of this page holds the code.
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${begin}${markup`<main><h1>${title}</h1><p>${text}</p></main>`.text}\n${end}`);
}

/** The query of a redirect: of this sign-in with 200, of another one with 400. Without one, the request is no redirect. */
interface Visit {
  readonly status: 200 | 400 | 404;
  readonly query?: URLSearchParams;
}

function visitOf({method, url = '', headers}: IncomingMessage, origin: string, state: string | undefined): Visit {
  // The header `Host` shows whether another name leads here (DNS rebinding).
  const isAddressed = headers.host !== undefined && `http://${headers.host}` === origin;
  const address = isAddressed && url.startsWith('/') ? URL.parse(url, origin) : null;
  if (address === null) return {status: 400};
  const {origin: named, pathname, searchParams: query} = address;
  if (named !== origin) return {status: 400};
  if (method !== 'GET' || pathname !== path) return {status: 404};
  const [given, ...more] = query.getAll('state');
  const isExpected = state !== undefined && given === state && more.length === 0;
  const says = (name: string) => (query.get(name) ?? '') !== '';
  if (isExpected && (says('code') || says('error'))) return {status: 200, query};
  return query.has('code') || query.has('error') || given !== undefined ? {status: 400, query} : {status: 404};
}

/** @param timeout milliseconds to wait for the redirect @throws Failure `local` when the port is in use */
export async function receiveCallback(timeout: number, port = 0): Promise<Callback> {
  const {promise, resolve, reject} = Promise.withResolvers<URLSearchParams>();
  let waiting: {readonly state: string; readonly onStray: ((error: string) => void) | undefined} | undefined;
  let isOver = false;
  let isStrayReported = false;
  const server = createServer((request, response) => {
    const {status, query = new URLSearchParams()} = visitOf(request, new URL(redirectUri).origin, isOver ? undefined : waiting?.state);
    const error = query.get('error');
    if (status !== 200) {
      if (waiting !== undefined && !isStrayReported && error !== null && !query.has('state')) {
        isStrayReported = true;
        waiting.onStray?.(error);
      }
      return reply(response, status, 'stray');
    }
    isOver = true;
    // Waits until the page is sent, because the caller may close the server at once.
    response.once('close', () => resolve(query));
    reply(response, 200, error === null ? 'approved' : 'refused');
  });
  const redirectUri = `http://${loopback}:${await listen(server, port)}${path}`;
  let timer: NodeJS.Timeout | undefined;
  const over = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  // If nobody waits for the redirect, closing must not become an unhandled rejection.
  promise.then(over, over);
  return {
    redirectUri,
    answer(state, onStray) {
      waiting = {state, onStray};
      timer = setTimeout(() => {
        reject(
          new Failure('auth', `The sign-in was not approved within ${Math.round(timeout / 1000)} s`, {
            hint: 'sign in again; use --no-browser when the browser is on another machine',
          }),
        );
      }, timeout);
      return promise;
    },
    async [Symbol.asyncDispose]() {
      reject(new Failure('interrupted', 'The sign-in was cancelled'));
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
