/** Types, lint and generated files; all of them run, so that one run shows everything there is to mend. */
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {root} from './root.js';

const checks = [
  {name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['-p', 'tsconfig.test.json']},
  {name: 'lint', script: 'node_modules/oxlint/bin/oxlint', args: ['--deny-warnings', '--quiet']},
  {name: 'generated files', script: 'scripts/generate.js', args: ['--check']},
];

const results = await Promise.all(checks.map(run));
for (const {name, passed, output} of results) {
  process.stderr.write(`${passed ? '✓' : '✗'} ${name}\n`);
  if (!passed) process.stderr.write(output);
}
if (results.some(({passed}) => !passed)) process.exitCode = 1;

function run({name, script, args}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, script), ...args], {cwd: root, stdio: ['ignore', 'pipe', 'pipe']});
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (status) => resolve({name, passed: status === 0, output}));
  });
}
