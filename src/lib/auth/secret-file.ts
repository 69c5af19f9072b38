/** Secrets in a file that its owner alone can read. */
import * as z from 'zod/mini';
import {readJson, writeJson} from './json-file.js';
import {keptSecretShape} from './profile.js';
import type {Vault} from './vault.js';

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
