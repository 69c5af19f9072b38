import {expect, test} from 'vitest';
import {globalFlags} from '../../src/lib/cli/flags.js';
import {manifestText, readManifest} from '../../scripts/manifest.js';
import {commandsIn} from '../../src/lib/cli/shell/program-config.js';

test('every command shows the global flags in its help', async () => {
  const {commands} = await readManifest();
  const lacking = Object.entries(commands).flatMap(([id, {flags}]) => {
    const missing = Object.keys(globalFlags).filter((name) => !(name in flags));
    return missing.length === 0 ? [] : [`${id} lacks ${missing.join(', ')}`];
  });
  expect(lacking).toEqual([]);
});

test('the file has each shared flag once, and is read back to the same commands', async () => {
  const made = await readManifest();
  const text = manifestText(made);
  expect(commandsIn(JSON.parse(text))).toEqual(Object.values(made.commands));
  expect(text.split('also trust the certificate authorities')).toHaveLength(2);
});
