/**
 * Adds the endpoints in `test/fixtures/new-endpoint`, and the format of reports in `test/fixtures/new-report-format`, to a copy of the project, and runs all checks and all tests there:
 * npm run test:endpoint
 */
import {ProjectCopy} from './project-copy.js';

const copy = new ProjectCopy('new-endpoint', 'new-report-format');
const {added} = copy;
const results = [];
try {
  for (const script of ['generate', 'check', 'test:unit', 'test:contract', 'test:e2e', 'test:guides']) {
    process.stdout.write(`\n${script}\n`);
    const begun = Date.now();
    const status = copy.show('npm', 'run', '-s', script);
    results.push({script, status, seconds: Math.round((Date.now() - begun) / 1000)});
    // Nothing else says anything about code that does not compile.
    if (script === 'generate' && status !== 0) break;
  }
  const stray = copy.changedByHand().filter((file) => !added.includes(file));
  process.stdout.write(`\nThree new endpoints and a format of reports, ${added.length} files by hand, in a copy of the project:\n`);
  for (const {script, status, seconds} of results)
    process.stdout.write(`  ${script.padEnd(14)} ${status === 0 ? 'passed' : 'failed'}, ${seconds} s\n`);
  if (stray.length > 0) process.stdout.write(`  other files were changed: ${stray.join(', ')}\n`);
  process.exitCode = stray.length === 0 && results.every(({status}) => status === 0) ? 0 : 1;
} finally {
  copy.remove();
}
