import {expect, test} from 'vitest';
import {globalFlags} from '../../src/lib/cli/flags.js';
import {readManifest} from '../../scripts/manifest.js';

test('every command shows the global flags in its help', async () => {
  const {commands} = await readManifest();
  const lacking = Object.entries(commands).flatMap(([id, {flags}]) => {
    const missing = Object.keys(globalFlags).filter((name) => !(name in flags));
    return missing.length === 0 ? [] : [`${id} lacks ${missing.join(', ')}`];
  });
  expect(lacking).toEqual([]);
});
