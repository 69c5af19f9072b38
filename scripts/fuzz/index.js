/**
 * Tries odd inputs on the parsers of foreign text, and keeps those on which one does not behave:
 * npm run fuzz [PARSER]... [-- --minutes N] [--seed N]
 */
import {parseArgs} from 'node:util';
import {keepCrash} from './corpus.js';
import {parserNames} from './parsers/index.js';
import {runParsers} from './run.js';

const say = (line) => process.stdout.write(`${line}\n`);

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {minutes: {type: 'string', default: '1'}, seed: {type: 'string', default: String(Date.now() % 1_000_000)}},
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
const unknown = positionals.find((name) => !parserNames.includes(name));

if (unknown !== undefined || !(minutes > 0) || !Number.isInteger(seed)) {
  process.stderr.write(`Usage: npm run fuzz [PARSER]... [-- --minutes N] [--seed N]\nParsers: ${parserNames.join(', ')}\n`);
  process.exitCode = 2;
} else {
  say(`Seed ${seed}, ${minutes} minutes for each parser`);
  const chosen = positionals.length > 0 ? positionals : parserNames;
  for (const name of chosen) await fuzz(name);
}

async function fuzz(name) {
  const tell = (_, {source, complaint, stack, bytes}) => {
    process.exitCode = 1;
    const file = source === 'mutation' || source === 'batch' ? keepCrash(name, bytes) : `test/fixtures/fuzz/${name}/${source}`;
    say(`${name}: ${complaint}\n  ${file}${stack === undefined ? '' : `\n${stack.split('\n').slice(1, 6).join('\n')}`}`);
  };
  const results = await runParsers([name], {seed, minutes, isTimed: true, tell});
  const {tries, kinds, findings} = results.get(name);
  say(`${name}: ${tries} inputs, ${kinds} kinds of outcomes, ${findings.length} crashes`);
}
