/** Tries inputs on parsers, in a thread of its own: one that hangs, or takes all memory, takes nothing else with it. */
import {parentPort, workerData} from 'node:worker_threads';
import {corpusOf} from './corpus.js';
import {judge} from './judge.js';
import {gist, minimised} from './minimise.js';
import {mutated} from './mutate.js';
import {parserOf} from './parsers/index.js';
import {Random} from './random.js';
import {Progress} from './run.js';

const {names, seed, count, minutes, isTimed, memory} = workerData;
const progress = new Progress(memory);

/** Inputs that led to something new, at most, and the longest of them. */
const maxPool = 300;
const maxKept = 20_000;

/** Inputs between two looks at what a parser collects to try in one go. */
const portion = 200;

class Attempts {
  tries = 0;
  kinds = new Set();
  #complaints = new Set();
  #name;
  #parser;

  constructor(name, parser) {
    this.#name = name;
    this.#parser = parser;
  }

  async #judged(bytes) {
    progress.input = bytes;
    return judge(this.#parser, bytes, {isTimed});
  }

  #report(finding) {
    parentPort.postMessage({name: this.#name, finding});
  }

  /** @returns whether something new was reached */
  async try(bytes, source) {
    this.tries += 1;
    const {kind, complaint, stack} = await this.#judged(bytes);
    const isNew = complaint === undefined && !this.kinds.has(kind);
    this.kinds.add(kind);
    if (complaint === undefined || this.#complaints.has(gist(complaint))) return isNew;
    this.#complaints.add(gist(complaint));
    const again = async (smaller) => (await this.#judged(smaller)).complaint;
    const smallest = source === 'mutation' ? await minimised(bytes, again) : bytes;
    this.#report({source, complaint: (await again(smallest)) ?? complaint, stack, bytes: smallest});
    return false;
  }

  async settle() {
    try {
      await this.#parser.settle?.();
    } catch (error) {
      this.#report({source: 'batch', complaint: error.message, bytes: Buffer.from(error.input ?? '')});
    }
  }
}

/** @param from the mutation to begin with; the inputs that are kept were tried before where it is not the first */
async function tryParser(name, from) {
  const parser = await parserOf(name);
  const corpus = corpusOf(name);
  const attempts = new Attempts(name, parser);
  if (from === 0) for (const {name: file, bytes} of corpus) await attempts.try(bytes, file);
  const good = corpus.map(({bytes}) => bytes);
  const pool = [...good];
  const end = performance.now() + minutes * 60_000;
  const most = from + Math.ceil((count - from) * (parser.share ?? 1));
  for (let index = from; index < most && performance.now() < end; index += 1) {
    const random = new Random(seed, name, index);
    progress.index = index;
    const bytes = mutated(random.once(2) ? good : pool, random, parser);
    const isNew = await attempts.try(bytes, 'mutation');
    if (isNew && bytes.length <= maxKept && pool.length - good.length < maxPool) pool.push(bytes);
    if (index % portion === portion - 1) await attempts.settle();
  }
  await attempts.settle();
  parentPort.postMessage({name, summary: {tries: attempts.tries, kinds: attempts.kinds.size}});
}

for (const [index, name] of names.entries()) await tryParser(name, index === 0 ? workerData.from : 0);
