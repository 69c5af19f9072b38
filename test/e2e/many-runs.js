/** Runs the built program again and again in one process, which is quick: node many-runs.js FILE, with the command lines as JSON. */
import {readFileSync} from 'node:fs';
import {load} from '../../bin/load.js';

const {main} = load('main.cjs');

process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

for (const words of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  await new Promise((resolve) => process.stdout.write(`\n### ${words.join(' ')}\n`, resolve));
  await main(words);
}
process.exit(0);
