import {join} from 'node:path';
import {Config} from '@oclif/core';
import {expect, test} from 'vitest';
import notFound from '../../../../src/lib/command/failure/not-found.js';

async function complaintAbout(id: string, argv: string[] = []): Promise<unknown> {
  const config = await Config.load(join(import.meta.dirname, '../../..'));
  const fail = (): never => {
    throw new Error('oclif is not asked for its own words');
  };
  const context = {config, debug() {}, error: fail, exit: fail, log() {}, warn() {}};
  return notFound.call(context, {id, argv, config, context: context}).catch((error: unknown) => error);
}

test.each([
  ['blocks:lst', [], 'did you mean `pixelctl blocks list`?'],
  ['dm:sned', ['5', 'Hi'], 'did you mean `pixelctl dm send`?'],
  ['filter', ['list'], 'did you mean `pixelctl filters list`?'],
  ['blcoks', ['list', '--json'], 'did you mean `pixelctl blocks list`?'],
  ['confg', [], 'did you mean `pixelctl config`?'],
  ['frobnicate', [], 'see `pixelctl --help`'],
])('%s %j is met with: %s', async (id, argv, hint) => {
  expect(await complaintAbout(id, argv)).toMatchObject({code: 'usage', details: {hint}});
});

test('what is said repeats no argument', async () => {
  expect(await complaintAbout('frobnicate', ['secret'])).toMatchObject({message: 'There is no command "frobnicate"'});
});
