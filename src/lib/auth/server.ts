import {Failure} from '../client/failure.js';
import {isLoopback} from '../client/transport.js';

const example = 'use an address such as https://pix.example';

/** Whether others on the network can read what is sent there: plain http to another machine. */
export function isPlainHttp({protocol, hostname}: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * Reads the address of a server; a bare host means `https://`.
 * @param source where the text comes from, for error messages: `--server`, `PIXELCTL_SERVER`
 * @throws Failure `usage` for anything but an origin, and for plain http to another machine unless allowed
 */
export function parseServer(text: string, source: string, allowHttp: boolean): URL {
  const given = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`;
  if (given === '' || !URL.canParse(address)) throw new Failure('usage', `${source} is not a server address`, {hint: example});
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') {
    throw new Failure('usage', `${source} must not contain a user name or password`, {hint: example});
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Failure('usage', `${source} must begin with https://, not ${url.protocol}//`, {hint: example});
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Failure('usage', `${source} must be a server address without a path, query or fragment`, {
      hint: `use ${url.origin}`,
    });
  }
  if (isPlainHttp(url) && !allowHttp) {
    throw new Failure('usage', `${source} is plain http: others on the network could read the token sent to ${url.host}`, {
      hint: `use https://${url.host}, or pass --allow-http to send it anyway`,
    });
  }
  return new URL(url.origin);
}
