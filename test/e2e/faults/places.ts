/** Servers that never answer as servers should, and machines on which something is missing. Each is made once and serves all runs. */
import {readFileSync, writeFileSync} from 'node:fs';
import {createServer as createSecureServer} from 'node:https';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import type {Duplex} from 'node:stream';
import type {SecureVersion} from 'node:tls';
import {hostOf, startProxy} from '../../loopback-server.js';
import {newFolder, root} from '../program.js';

/** What a run finds. */
export interface Place {
  /** In place of the server that answers. */
  readonly server?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What Node or undici read from the environment of the process. */
  readonly processEnv?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly outputError?: 'ENOSPC' | 'EPIPE';
}

/** They end with the process: files that follow find them as well. */
const after = () => {};

/** Nothing listens at the first port. */
export const closedPort = (): Place => ({server: 'http://127.0.0.1:1'});

/** No resolver is asked for a name with such a long part. */
export const unknownHost = (): Place => ({server: `https://${'pix'.repeat(22)}.example`});

/** A server that does something with each connection. */
export async function tcpThat(take: (socket: Socket) => void, scheme = 'http'): Promise<Place> {
  const host = await hostOf(
    createServer((socket) => take(socket.on('error', () => {}))),
    after,
  );
  return {server: `${scheme}://${host}`};
}

const fixture = (name: string): string => join(root, 'test/fixtures/tls', name);

interface Security {
  readonly isTrusted?: true;
  readonly maxVersion?: SecureVersion;
}

/** A server with one of the certificates. */
export async function secure(certificate: 'elsewhere' | 'expired' | 'unknown', {isTrusted, maxVersion}: Security = {}): Promise<Place> {
  const text = readFileSync(fixture(`${certificate}-certificate.pem`));
  const file = join(newFolder(), 'certificate.pem');
  writeFileSync(file, text);
  const old = maxVersion === undefined ? {} : ({maxVersion, minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0'} as const);
  const server = createSecureServer({cert: text, key: readFileSync(fixture('lists-key.pem')), ...old}, (_, response) => response.end('{}'));
  return {server: `https://${await hostOf(server, after)}`, ...(isTrusted && {flags: ['--cacert', file]})};
}

/** A proxy, or the port of one that is gone. */
export async function proxyThat(tunnel?: (socket: Duplex) => void): Promise<Place> {
  const host = tunnel === undefined ? '127.0.0.1:1' : (await startProxy({tunnel, after})).host;
  return {server: 'https://pix.example', processEnv: {HTTPS_PROXY: `http://${host}`}};
}

/** Folders below a file: nobody can make them, whatever they are allowed. */
export function unwritableHome(): Place {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  const names = ['HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'PIXELCTL_CONFIG_DIR'];
  return {env: Object.fromEntries(names.map((name) => [name, join(file, name.toLowerCase())]))};
}
