import {Failure} from '../client/failure.js';
import {maxHostLength} from '../client/origin.js';
import {refuseOddServer, refusePlainHttp} from '../client/transport.js';

/**
 * Reads the address of a server; a bare host means `https://`.
 * @param source where the text comes from, for error messages: `--server`, `PIXELCTL_SERVER`
 * @throws Failure `usage` for anything but an origin, and for plain http to another machine unless allowed
 */
export function parseServer(text: string, source: string, allowHttp: boolean): URL {
  const given = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`;
  const url = given === '' ? null : URL.parse(address);
  if (url === null || url.hostname.length > maxHostLength)
    throw new Failure('usage', `${source} is not a server address`, {
      hint: 'use an address such as https://pix.example',
    });
  refuseOddServer(url, source);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Failure('usage', `${source} must be a server address without a path, query or fragment`, {
      hint: `use ${url.origin}`,
    });
  }
  if (!allowHttp) refusePlainHttp(url, source, '--allow-http');
  return new URL(url.origin);
}
