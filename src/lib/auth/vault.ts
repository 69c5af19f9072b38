/** A vault stores secrets. This file has the interface, and the vault that is a file; `keyring.ts` has the other one. */
import * as z from 'zod/mini';
import {readJson, writeJson} from './json-file.js';
import {type Secret, secretShape} from './profile.js';

/** Stores secrets, each under a unique key that is never used again. */
export interface Vault {
  /** @returns undefined when there is no secret under this key */
  read(key: string): Promise<Secret | undefined>;
  write(key: string, secret: Secret): Promise<void>;
  /** Does nothing when there is no secret under this key. */
  remove(key: string): Promise<void>;
}

/** A keyring that does not work. The message names neither secrets nor their keys. */
export class KeyringUnavailable extends Error {
  override readonly name = 'KeyringUnavailable';

  /** @param installation how to install what is missing */
  constructor(
    message: string,
    readonly installation?: string,
  ) {
    super(message);
  }
}

// This is a list, and not an object by key, because the message about a corrupt file names the path of the fault: no content may be in it.
const shape = z.looseObject({secrets: z.array(z.looseObject({key: z.string(), secret: secretShape}))});

/** The vault that is a file. Writers must hold the store's lock. */
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
