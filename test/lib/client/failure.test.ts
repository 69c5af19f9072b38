/** What failures say, and what they keep. */
import {hostname} from 'node:os';
import {describe, expect, test} from 'vitest';
import {
  asFailure,
  cannotRead,
  Failure,
  guardFailure,
  isInterruption,
  localFailure,
  lockedFailure,
  repairOf,
} from '../../../src/lib/client/failure.js';
import {LockHeld} from '../../../src/lib/files/lock.js';
import {NotPrivate} from '../../../src/lib/files/own-folder.js';
import {NotText} from '../../../src/lib/files/read-text.js';
import {NotPlain} from '../../../src/lib/files/system-error.js';

const systemError = (code: string) => Object.assign(new Error('no'), {code});

describe('a failure of this machine', () => {
  test.each([
    ['EACCES', 'permission denied', 'check its permissions'],
    ['EFBIG', 'it is too large', undefined],
    ['EISDIR', 'it is a folder', 'give the path of a file'],
    ['ENOENT', 'no such file', 'check the path'],
    ['ENOSPC', 'the disk is full', 'free some space'],
    ['ENOTDIR', 'part of the path is not a folder', 'check the path'],
    ['ENOTFILE', 'it is not a regular file', 'give the path of a file'],
    ['EROFS', 'the disk is read-only', 'give a path on another disk'],
    ['EMFILE', 'EMFILE', undefined],
    ['ours', 'it failed', undefined],
  ])('of code %s says: %s', (code, why, hint) => {
    const error = systemError(code);
    const failure = localFailure('Cannot read the notes', error);
    expect(failure).toMatchObject({code: 'local', message: `Cannot read the notes: ${why}`, cause: error});
    expect(failure.details.hint).toBe(hint);
    expect(localFailure('x', error, 'another hint').details.hint).toBe('another hint');
  });

  test('of no code says that it failed', () => {
    for (const thrown of [new Error('no'), 'no', undefined]) expect(localFailure('It', thrown).message).toBe('It: it failed');
  });

  test.each([
    ['Cannot read /a/b', '/a/b', 'part of the path is not a folder', 'it is a pipe'],
    ['Cannot read the notes', '/a/b', 'part of the path /a/b is not a folder', '/a/b is a pipe'],
  ])('%s names the path where it is %s, once', (what, path, notFolder, notPlain) => {
    expect(localFailure(what, Object.assign(systemError('ENOTDIR'), {path})).message).toBe(`${what}: ${notFolder}`);
    const cause = new NotPlain(path, 'a pipe');
    const details = {cause, hint: 'remove it, or give another path'};
    expect(localFailure(what, cause)).toMatchObject({code: 'local', message: `${what}: ${notPlain}`, details});
    expect(localFailure(what, cause, 'another hint').details.hint).toBe('another hint');
  });

  test.each([
    [systemError('ENOENT'), {code: 'local', message: 'Cannot read the notes: no such file', details: {hint: 'begin them'}}],
    [systemError('EACCES'), {code: 'local', message: 'Cannot read the notes: permission denied', details: {hint: 'check its permissions'}}],
    [new NotText('x is no text', 'convert it'), {code: 'usage', message: 'x is no text', details: {hint: 'convert it'}}],
  ])('of reading a text because of %s says what to do', (error, failure) => {
    expect(() => cannotRead('the notes', 'begin them')(error)).toThrow(
      expect.objectContaining({...failure, details: expect.objectContaining(failure.details)}),
    );
  });

  test('of a file that others can access says how to repair it', () => {
    const error = new NotPrivate('others can read it', ['chmod', '600', "/home/a b/it's"]);
    expect(repairOf(error)).toBe(String.raw`run \`chmod 600 '/home/a b/it'\''s'\``.replaceAll('\\`', '`'));
    expect(localFailure('Cannot read it', error, 'not this one')).toMatchObject({
      code: 'local',
      message: 'Cannot read it: others can read it',
      cause: error,
      details: {hint: repairOf(error)},
    });
    expect(repairOf(new NotPrivate('it is of another user'))).toBe('run it as the owner of the folder, or use your own folder');
  });
});

test('a file in use names the process, and another machine where it is on one', () => {
  const holder = {pid: 7, namespace: null, start: null, since: '2026-11-20T12:00:00Z'};
  const here = lockedFailure('the plan', new LockHeld('/a/lock', {...holder, host: hostname()}));
  expect(here).toMatchObject({code: 'local', message: 'Another pixelctl (process 7) is using the plan: nothing was sent'});
  expect(here.details.hint).toBe('wait for it to end, then run this again');
  const there = lockedFailure('the plan', new LockHeld('/a/lock', {...holder, host: 'elsewhere'}));
  expect(there.message).toBe('Another pixelctl (process 7 on elsewhere) is using the plan: nothing was sent');
  expect(there.details.hint).toBe('wait for it to end, then run this again; if elsewhere is gone, remove /a/lock');
});

describe('an unexpected error', () => {
  test.each([
    [new TypeError('token abc'), 'TypeError'],
    ['abc', 'string'],
    [undefined, 'undefined'],
    [{}, 'object'],
  ])('is internal, and says no more than its kind: %j', (error, name) => {
    expect(asFailure(error)).toMatchObject({code: 'internal', message: `pixelctl failed unexpectedly (${name})`, cause: error});
  });

  test('that is a failure stays the same one', () => {
    const failure = new Failure('usage', 'No');
    expect(asFailure(failure)).toBe(failure);
  });
});

describe('a failure', () => {
  test('of a guard sends nothing, and advises', () => {
    expect(guardFailure('Too many', 'use fewer')).toMatchObject({
      code: 'refused',
      message: 'Too many',
      details: {reason: 'guard', hint: 'use fewer'},
    });
  });

  test.each([
    ['It failed', '; more', 'It failed; more'],
    ['It failed.', '; more', 'It failed; more'],
    ['It failed..', '; more', 'It failed..; more'],
    ['It failed...', '; more', 'It failed...; more'],
    ['a. b', '; more', 'a. b; more'],
    ['It failed.', '', 'It failed.'],
    ['', '; more', '; more'],
  ])('%j goes on with %j as %j', (message, more, whole) => {
    expect(new Failure('refused', message).messageWith(more)).toBe(whole);
  });

  test('keeps the details that it has, and takes those that it lacks', () => {
    const failure = new Failure('refused', 'No', {status: 403, scope: undefined, path: '/a'});
    const more = failure.with({status: 500, scope: 'read', method: 'GET'});
    expect(more).toMatchObject({code: 'refused', message: 'No', details: {status: 403, scope: 'read', path: '/a', method: 'GET'}});
    expect(failure.details).toEqual({status: 403, scope: undefined, path: '/a'});
  });

  test.each([
    ['3 differences', null, ['3 differences.']],
    ['3 differences', undefined, ['3 differences.']],
    ['3 differences.', 'run plan', ['3 differences.', 'Hint: run plan']],
    ['Differences?', '', ['Differences?']],
    ['Differences!', null, ['Differences!']],
  ])('that is a difference closes with %j and hint %j', (message, hint, closing) => {
    expect(new Failure('drift', message).closingWith(hint)).toEqual(closing);
    expect(new Failure('refused', message).closingWith(hint)).toBeUndefined();
    expect(new Failure('drift', message, {closing: ['own']}).closingWith(hint)).toEqual(['own']);
    expect(new Failure('refused', message, {closing: []}).closingWith(hint)).toEqual([]);
  });
});

test('somebody stopped the program where it was interrupted or terminated', () => {
  const codes = ['interrupted', 'terminated', 'local', 'internal'] as const;
  expect(codes.filter((code) => isInterruption(new Failure(code, 'x')))).toEqual(['interrupted', 'terminated']);
});
