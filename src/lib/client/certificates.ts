/** Certificates of authorities that are trusted beside those of the program. */
import {readText} from '../files/read-file.js';

/** What TLS trusts is a matter of the process: once is enough. */
let trusting: Promise<void> | undefined;

/**
 * Trusts the certificates in the file that `SSL_CERT_FILE` names. Like other programs, it does without a file that is not there. Reading
 * them takes as long as a whole run: call it only where TLS is used.
 */
export function trustEnvironment(): Promise<void> {
  trusting ??= readText(process.env['SSL_CERT_FILE'] ?? '').then(
    async (text) => trustAlso((await certificatesIn(text)).valid),
    () => {},
  );
  return trusting;
}

/** Trusts certificates beside the default ones, for every connection of this process from now on. */
export async function trustAlso(certificates: readonly string[]): Promise<void> {
  const {getCACertificates, setDefaultCACertificates} = await import('node:tls');
  setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
}

/** The certificates in a text in PEM form: how many there are, and those that can be read. */
export async function certificatesIn(text: string): Promise<{readonly all: number; readonly valid: readonly string[]}> {
  const {X509Certificate} = await import('node:crypto');
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const valid = found.filter((one) => {
    try {
      return new X509Certificate(one).raw.length > 0;
    } catch {
      return false;
    }
  });
  return {all: found.length, valid};
}
