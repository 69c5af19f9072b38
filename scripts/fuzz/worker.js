/** Tries inputs on parsers, in a thread of its own: one that hangs, or takes all memory, takes nothing else with it. */
import {parentPort, workerData} from 'node:worker_threads';
import {corpusOf} from './corpus.js';
import {judge} from './judge.js';
import {gist, minimised} from './minimise.js';
import {mutated} from './mutate.js';
import {parserOf} from './parsers/index.js';
import {Random} from './random.js';

const {name, seed, from, count, minutes, isTimed, current} = workerData;

/** Inputs that led to something new, at most, and the longest of them. */
const maxPool = 300;
const maxKept = 20_000;

/** Inputs between two looks at what a parser collects to try in one go. */
const portion = 200;

const [header, content] = [new Int32Array(current, 0, 2), new Uint8Array(current, 8)];
let tries = 0;

/** Tells the other thread what is tried now. */
function announce(bytes) {
  const shown = bytes.subarray(0, content.length);
  content.set(shown);
  Atomics.store(header, 1, shown.length);
  Atomics.add(header, 0, 1);
}

const parser = await parserOf(name);
const corpus = corpusOf(name);
const known = new Set();

async function attempt(bytes, source, options) {
  announce(bytes);
  tries += 1;
  const {kind, complaint, stack} = await judge(parser, bytes, options);
  if (complaint !== undefined && !known.has(gist(complaint))) {
    known.add(gist(complaint));
    const again = async (smaller) => {
      announce(smaller);
      return (await judge(parser, smaller, options)).complaint;
    };
    const smallest = source === 'mutation' ? await minimised(bytes, again) : bytes;
    parentPort.postMessage({finding: {source, complaint: (await again(smallest)) ?? complaint, stack, bytes: smallest}});
  }
  return {kind, complaint};
}

async function settle() {
  try {
    await parser.settle?.();
  } catch (error) {
    parentPort.postMessage({finding: {source: 'batch', complaint: error.message, bytes: Buffer.from(error.input ?? '')}});
  }
}

const kinds = new Set();
for (const {name: file, bytes} of from === 0 ? corpus : []) kinds.add((await attempt(bytes, file, {isTimed})).kind);
const pool = corpus.map(({bytes}) => bytes);
const good = pool.length;
const end = performance.now() + minutes * 60_000;
for (let index = from; index < count && performance.now() < end; index += 1) {
  const random = new Random(seed, name, index);
  const bytes = mutated(random.once(2) ? pool.slice(0, good) : pool, random, parser);
  parentPort.postMessage({index});
  const {kind, complaint} = await attempt(bytes, 'mutation', {isTimed});
  if (complaint === undefined && !kinds.has(kind) && bytes.length <= maxKept && pool.length - good < maxPool) {
    kinds.add(kind);
    pool.push(bytes);
  }
  if (index % portion === portion - 1) await settle();
}
await settle();
await parser.end?.();
parentPort.postMessage({tries, kinds: kinds.size});
