/** One more authority whose certificates are accepted. */
import {X509Certificate} from 'node:crypto';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {Failure} from '../client/failure.js';
import {readTextFile} from '../client/text-input.js';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

/**
 * Accepts certificates of the authorities in a file, beside those that are accepted anyway, for every connection from now on.
 * @param file certificates in PEM form
 * @throws Failure `local` when it cannot be read, `usage` when it holds something else
 */
export async function trust(file: string): Promise<void> {
  const found = (await readTextFile(file, `the certificates in ${file}`)).match(certificate) ?? [];
  if (found.length === 0 || !found.every(isCertificate)) {
    throw new Failure('usage', `--cacert: ${file} holds no certificates in PEM form`, {
      hint: 'a PEM certificate begins with -----BEGIN CERTIFICATE-----',
    });
  }
  setDefaultCACertificates([...getCACertificates('default'), ...found]);
}
