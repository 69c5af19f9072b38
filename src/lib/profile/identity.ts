/** Which server, and as whom: flags beat the environment. */
import {readFile} from 'node:fs/promises';
import {Failure, localFailure} from '../client/failure.js';
import {parseServer} from './server.js';

export interface IdentityOptions {
  /** Value of `--server`. */
  readonly server?: string | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Identity {
  readonly server: URL;
  /** Where the server's address comes from. */
  readonly source: '--server' | 'PIXELCTL_SERVER';
  /** The access token for this server, read when it is asked for; undefined when there is none. */
  readonly token: () => Promise<string | undefined>;
}

function checkedToken(text: string, source: string): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new Failure('usage', `${source} does not hold an access token`, {
      hint: 'a token is one word of plain letters, digits and signs',
    });
  }
  return token;
}

async function environmentToken(environment: IdentityOptions['environment']): Promise<string | undefined> {
  const given = checkedToken(environment['PIXELCTL_TOKEN'] ?? '', 'PIXELCTL_TOKEN');
  if (given !== undefined) return given;
  const file = environment['PIXELCTL_TOKEN_FILE'] ?? '';
  if (file === '') return undefined;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw localFailure(`Cannot read the file that PIXELCTL_TOKEN_FILE names (${file})`, error);
  });
  return checkedToken(text, `The file ${file}`);
}

/**
 * Decides which server is meant and which token belongs to it.
 * A token of the environment belongs to `PIXELCTL_SERVER` when that is set, and goes nowhere else.
 * @throws Failure `usage` when no server is named, or its address cannot be used
 */
export function identify({server, allowHttp = false, environment}: IdentityOptions): Identity {
  const named = environment['PIXELCTL_SERVER'] ?? '';
  const text = server ?? named;
  if (text === '') {
    throw new Failure('usage', 'No server is named', {
      hint: 'set PIXELCTL_SERVER or give --server; sign in with `pixelctl auth login`; or try `pixelctl sandbox`',
    });
  }
  const source = server === undefined ? 'PIXELCTL_SERVER' : '--server';
  const url = parseServer(text, source, allowHttp);
  const home = source === '--server' && named !== '' ? parseServer(named, 'PIXELCTL_SERVER', true) : url;
  return {
    server: url,
    source,
    async token() {
      const token = await environmentToken(environment);
      if (token === undefined || home.origin === url.origin) return token;
      throw new Failure('auth', `The token of the environment belongs to ${home.host} and is not sent to ${url.host}`, {
        reason: 'withheld_token',
      });
    },
  };
}
