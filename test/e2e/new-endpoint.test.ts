/**
 * Adds two endpoints to a copy of the project, by the recipe in CONTRIBUTING: the files in `test/fixtures/new-endpoint` and
 * `npm run generate`, and nothing else. All checks must pass there, and of the unit and contract layers every test that goes over
 * all records or commands. `npm run test:endpoint` runs all layers whole.
 */
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProjectCopy} from '../../scripts/project-copy.js';

let copy: ProjectCopy;
beforeAll(() => {
  copy = new ProjectCopy('new-endpoint');
});
afterAll(() => copy.remove());

describe('two new endpoints', () => {
  test('take a record file, two command files, a file of sandbox behaviour and a row of test data', () => {
    expect(copy.added).toEqual([
      'src/commands/follow-requests/authorize.ts',
      'src/commands/follow-requests/list.ts',
      'src/lib/api/follow-requests.ts',
      'src/lib/sandbox/routes/follow-requests.ts',
      'test/endpoints/follow-requests.ts',
    ]);
  });

  test.each(['generate', 'check'])('pass npm run %s', (script) => {
    const {status, output} = copy.run('npm', 'run', '-s', script);
    expect(status, output).toBe(0);
  });

  test('pass the unit and contract tests that go over all records or commands', {timeout: 900_000}, () => {
    const tests = copy.testsOfRecords();
    expect(tests).toContain('test/lib/cli/completion/seen.test.ts');
    // Those of odd answers and of fates take minutes; `npm run test:endpoint` runs them.
    const slow = ['--exclude=**/odd-*', '--exclude=**/fates*'];
    const {status, output} = copy.run(
      'vitest',
      'related',
      '--run',
      '--reporter=dot',
      '--project=unit',
      '--project=contract',
      ...slow,
      ...tests,
    );
    expect(status, output).toBe(0);
    expect(output).toMatch(/\d passed/);
  });

  test('change no other file by hand', () => {
    expect(copy.changedByHand()).toEqual(copy.added);
  });

  test('two new endpoints are in the reference, under the title of their group', () => {
    const page = copy.read('docs/reference/follow-requests.md');
    expect(page).toContain('# follow-requests\n\nPeople who ask to follow you\n');
    expect(page).toContain('## pixelctl follow-requests authorize');
    expect(copy.read('docs/reference/endpoints.md')).toContain('`POST /api/v1/follow_requests/{id}/authorize`');
  });
});
