import {Failure} from '../client/failure.js';
import {isLoopback} from '../client/transport.js';

const wanted = 'give an address such as https://pix.example';

/** Whether what is sent there can be read on the way: plain http to another machine. */
export function isReadableOnTheWay({protocol, hostname}: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * Reads the address of a server; a bare host means `https://`.
 * @param source where the text comes from, for messages: `--server`, `PIXELCTL_SERVER`
 * @throws Failure `usage` for anything but an origin, and for plain http to another machine unless allowed
 */
export function parseServer(text: string, source: string, allowHttp: boolean): URL {
  const given = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`;
  if (given === '' || !URL.canParse(address)) throw new Failure('usage', `${source} is not an address of a server`, {hint: wanted});
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') {
    throw new Failure('usage', `${source} must not carry a user name or password`, {hint: wanted});
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Failure('usage', `${source} has to begin with https://, not ${url.protocol}//`, {hint: wanted});
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Failure('usage', `${source} has to be a server alone, without a path, query or fragment`, {
      hint: `use ${url.origin}`,
    });
  }
  if (isReadableOnTheWay(url) && !allowHttp) {
    throw new Failure('usage', `${source} is plain http: a token sent to ${url.host} could be read on the way`, {
      hint: `use https://${url.host}, or --allow-http if you mean it`,
    });
  }
  return new URL(url.origin);
}
