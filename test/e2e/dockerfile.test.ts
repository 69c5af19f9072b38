/** The Dockerfile: it is not built here, because that needs Docker's engine and a base image. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {validate} from 'dockerfile-utils';
import {expect, test} from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');

/** The instructions with their continued lines joined. */
const instructions = text
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{name, rest}];
  });
const all = (name: string): string[] => instructions.flatMap((each) => (each.name === name ? [each.rest] : []));

test('a linter finds nothing', () => {
  expect(validate(text)).toEqual([]);
  expect(validate('FROM a\nCMD ["a"\nCMD b\n')).not.toEqual([]);
});

test('runs as a user that is not root, given as numbers', () => {
  const [user = ''] = all('USER');
  expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  // Kubernetes' runAsNonRoot checks numbers only.
  expect(all('COPY').find((rest) => rest.includes('config/'))).toContain(`--chown=${user} --chmod=0700`);
});

test('keeps profiles in a volume, and no token in the image', () => {
  const [volume] = all('VOLUME');
  const variables = Object.fromEntries(all('ENV').flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split('='))));
  expect(variables).toEqual({HOME: volume, PIXELCTL_CONFIG_DIR: volume, XDG_CACHE_HOME: '/tmp/cache'});
});
