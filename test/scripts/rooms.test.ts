/** Rooms with doors are entered by them. */
import {expect, test} from 'vitest';
import {passedDoors} from '../../scripts/rooms.js';

test.each([
  ["import {a} from '../../policy/index.js';", []],
  ["import {a} from './policy.js';\nimport {b} from '../policy/plan.js';", []],
  ["const {a} = await import('../../policy/plan/undo.js');", []],
  ["import type {a} from '../../policy/plan/undo.js';", ['src/lib/policy/plan/undo.ts']],
  ["export {a} from '../../run/run.js';", ['src/lib/run/run.ts']],
  [
    "import {\n  a,\n  b,\n} from '../../auth/token.js';\nimport {c} from '../../archive/sections/index.js';",
    ['src/lib/auth/token.ts', 'src/lib/archive/sections/index.ts'],
  ],
])('of %j these pass a door: %j', (text, files) => {
  const found = passedDoors('src/lib/cli/policy/file.ts', text);
  expect(found.length).toBe(files.length);
  for (const [index, file] of files.entries()) {
    expect(found[index]).toContain(`not from ${file}`);
    expect(found[index]).toMatch(/^src\/lib\/cli\/policy\/file\.ts: import it from src\/lib\/\w+\/index\.ts,/);
  }
});

test('inside a room there are no doors', () => {
  expect(passedDoors('src/lib/policy/plan/file.ts', "import {a} from '../lists/list.js';\nimport {b} from '../../auth/index.js';")).toEqual(
    [],
  );
});
