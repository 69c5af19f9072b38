/** Makes TLS trust further certificate authorities, beside the default ones. */
import {readText} from '../files/read-file.js';

/** Set once, because TLS trusts the same certificates in the whole process. */
let trusting: Promise<void> | undefined;

/**
 * Trusts the certificates in the file that `SSL_CERT_FILE` names. As in other programs, a missing file is no error. Reading
 * them takes as long as a whole run: call it only where TLS is used.
 */
export function trustEnvironment(): Promise<void> {
  trusting ??= readText(process.env['SSL_CERT_FILE'] ?? '').then(
    async (text) => trustAlso((await certificatesIn(text)).valid),
    () => {},
  );
  return trusting;
}

/** Trusts further certificates, for every connection of this process from now on. */
export async function trustAlso(certificates: readonly string[]): Promise<void> {
  const {getCACertificates, setDefaultCACertificates} = await import('node:tls');
  setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
}

/** The certificates in a text in PEM form: `all` counts them, `valid` has those that can be read. */
export async function certificatesIn(text: string): Promise<{readonly all: number; readonly valid: readonly string[]}> {
  const {X509Certificate} = await import('node:crypto');
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const valid = found.flatMap((one) => {
    try {
      return new X509Certificate(one).toString();
    } catch {
      return [];
    }
  });
  return {all: found.length, valid};
}
