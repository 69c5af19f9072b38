import {readdirSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {pinnedPackage} from '../../scripts/pinned-package.js';
import {root} from '../../scripts/root.js';
import {newFolder} from '../new-folder.js';

/** A package of a platform that nothing is built for, so that no other run has downloaded it. */
const rare = '@napi-rs/keyring-freebsd-x64';

test('refuses a package with another checksum than is pinned', () => {
  const folder = newFolder();
  const npm = '#!/bin/sh\nfor last; do :; done\nprintf forged > "$last/forged.tgz"\necho forged.tgz\n';
  writeFileSync(join(folder, 'npm'), npm, {mode: 0o755});
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => pinnedPackage(rare)).toThrow(/^@napi-rs\/keyring-freebsd-x64@\S+ is not what is pinned: its checksum is sha512-/);
  expect(readdirSync(join(root, '.cache/packages')).filter((name) => name.includes('freebsd'))).toEqual([]);
});

test('refuses a package that is not pinned', () => {
  expect(() => pinnedPackage('left-pad')).toThrow('left-pad is not pinned');
});
