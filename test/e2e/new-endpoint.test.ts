/**
 * Adds two endpoints to a copy of the project, by the recipe in CONTRIBUTING: the files in `test/fixtures/new-endpoint` and
 * `npm run generate`, and nothing else. All checks must pass there, and the tests of what records are for. `npm run test:endpoint`
 * runs all tests there, which takes as long as all tests here.
 */
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProjectCopy} from '../../scripts/project-copy.js';

let copy: ProjectCopy;
let generated: ReturnType<ProjectCopy['run']>;
beforeAll(() => {
  copy = new ProjectCopy('new-endpoint');
  generated = copy.run('npm', 'run', '-s', 'generate');
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

  test('pass npm run generate and npm run check', () => {
    for (const {status, output} of [generated, copy.run('npm', 'run', '-s', 'check')]) expect(status, output).toBe(0);
  });

  test('pass the contract tests that go over all records', () => {
    const {status, output} = copy.run('vitest', 'run', '--reporter=dot', 'test/contract/table.test.ts', 'test/contract/request.test.ts');
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
