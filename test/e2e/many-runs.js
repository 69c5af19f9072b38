/** Runs the built program again and again in one process, which is quick: node many-runs.js FILE, with the command lines as JSON. */
import {readFileSync} from 'node:fs';

const program = new URL('../../bin/run.js', import.meta.url).href;
const {run} = await import('../../dist/lib/cli/main.js');

process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

for (const words of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  await new Promise((resolve) => process.stdout.write(`\n### ${words.join(' ')}\n`, resolve));
  await run(words, program);
}
process.exit(0);
