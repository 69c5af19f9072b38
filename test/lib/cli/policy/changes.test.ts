import {describe, expect, test} from 'vitest';
import {Io} from '../../../../src/lib/cli/io.js';
import {requireConsent} from '../../../../src/lib/cli/policy/changes.js';
import {Session, type GlobalFlags} from '../../../../src/lib/cli/session.js';
import {testSystem} from '../../../system.js';

/** @param typing at a terminal; undefined where nobody can answer */
const consenting = (flags: Omit<GlobalFlags, 'json'>, typing?: string) => () =>
  requireConsent(new Session({json: undefined, ...flags}, {io: new Io(testSystem({typing}).system), userAgent: 'test'}));

describe('before a policy is read, changes need', () => {
  test.each([
    ['somebody who can answer', {}, 'y\n'],
    ['--yes', {yes: true}, undefined],
    ['--dry-run, which sends nothing', {'dry-run': true}, undefined],
  ])('%s', (_, flags, typing) => {
    expect(consenting(flags, typing)).not.toThrow();
  });

  test.each([[{}], [{yes: false, 'dry-run': false}], [{quiet: true}]])('one of these: %j is refused', (flags) => {
    expect(consenting(flags)).toThrow(expect.objectContaining({code: 'usage', message: expect.stringContaining('nothing was sent')}));
  });
});
