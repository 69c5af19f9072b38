/** Where secrets are kept: what a store of secrets does, and the one that is a file. `keyring.ts` is the other. */
import * as z from 'zod/mini';
import {readJson, writeJson} from './json-file.js';
import {type KeptSecret, keptSecretShape} from './profile.js';

/** A place for secrets, each under a key of its own that is never used again. */
export interface Vault {
  /** @returns undefined when there is none under this key */
  read(key: string): Promise<KeptSecret | undefined>;
  write(key: string, secret: KeptSecret): Promise<void>;
  /** Removes what is there, and is content when nothing is. */
  remove(key: string): Promise<void>;
}

/** A keyring that does not do what it is asked. The text names neither secrets nor what they are kept under. */
export class KeyringUnavailable extends Error {
  override readonly name = 'KeyringUnavailable';
}

// A list and no object by key: of a corrupt file, the place of the fault is told, and must name nothing that the file holds.
const shape = z.looseObject({secrets: z.array(z.looseObject({key: z.string(), secret: keptSecretShape}))});

/** Writers hold the store's lock. */
export function secretFile(path: string): Vault {
  const read = async () => (await readJson(path, shape)) ?? {secrets: []};
  return {
    async read(key) {
      return (await read()).secrets.find((each) => each.key === key)?.secret;
    },
    async write(key, secret) {
      const {secrets, ...rest} = await read();
      await writeJson(path, {...rest, secrets: [...secrets.filter((each) => each.key !== key), {key, secret}]});
    },
    async remove(key) {
      const {secrets, ...rest} = await read();
      const left = secrets.filter((each) => each.key !== key);
      if (left.length < secrets.length) await writeJson(path, {...rest, secrets: left});
    },
  };
}
