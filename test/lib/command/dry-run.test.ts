import {expect, test} from 'vitest';
import {runShell} from '../../e2e/program.js';

test('a dry run without a target prints nothing', async () => {
  const {stdout, stderr, status} = await runShell('echo | pixelctl filters delete - --dry-run --server pix.example');
  expect({stdout, stderr, status}).toEqual({stdout: '', stderr: 'Nothing was sent.\n', status: 0});
});
