/** Runs parsers in a thread that they may not keep busy for too long, nor fill. */
import {rmSync} from 'node:fs';
import {Worker} from 'node:worker_threads';
import {makeFolder} from './folder.js';

/** Bounds of the thread: its stack is as large as that of the program. */
const resourceLimits = {maxOldGenerationSizeMb: 512, stackSizeMb: 1};

/** Bytes of the input that is shown to this thread. */
const maxShown = 4 * 1024 * 1024;

/** Milliseconds between two looks at the other thread, and without any progress before it is ended. */
const interval = 250;
const guard = 60_000;

/** What the thread says of itself while it is busy, in memory that both see. */
export class Progress {
  #numbers;
  #input;

  constructor(memory = new SharedArrayBuffer(16 + maxShown)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, 4);
    this.#input = new Uint8Array(memory, 16);
  }

  /** Inputs that were tried. */
  get tries() {
    return Atomics.load(this.#numbers, 0);
  }

  /** The mutation that is tried. */
  get index() {
    return Atomics.load(this.#numbers, 2);
  }

  set index(index) {
    Atomics.store(this.#numbers, 2, index);
  }

  /** What is tried. */
  get input() {
    return Buffer.from(this.#input.slice(0, Atomics.load(this.#numbers, 1)));
  }

  set input(bytes) {
    const shown = bytes.subarray(0, maxShown);
    this.#input.set(shown);
    Atomics.store(this.#numbers, 1, shown.length);
    Atomics.add(this.#numbers, 0, 1);
  }
}

/**
 * @typedef {{source: string, complaint: string, stack?: string, bytes: Buffer}} Finding
 * @typedef {{tries: number, kinds: number, findings: Finding[]}} Result
 * @param {readonly string[]} names of the parsers
 * @param {{seed: number, count?: number, minutes?: number, isTimed?: boolean, tell?: (name: string, finding: Finding) => void}} options
 *   count: mutations, minutes: at most for each parser; isTimed: whether processor time counts
 * @returns {Promise<ReadonlyMap<string, Result>>}
 */
export async function runParsers(names, {tell, ...options}) {
  const results = new Map(names.map((name) => [name, {tries: 0, kinds: 0, findings: []}]));
  const report = (name, finding) => {
    results.get(name).findings.push(finding);
    tell?.(name, finding);
  };
  const folder = makeFolder();
  try {
    let [left, from] = [names, 0];
    while (left.length > 0) {
      const ended = await oneThread(left, {...options, from, folder}, report);
      for (const [name, {tries, kinds}] of ended.summaries) Object.assign(results.get(name), {tries, kinds});
      left = left.slice(ended.summaries.size);
      from = ended.next;
    }
    return results;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** @returns next: the mutation of the first parser that is left to go on with, where the thread was ended */
function oneThread(names, options, report) {
  return new Promise((resolve, reject) => {
    const progress = new Progress();
    const summaries = new Map();
    const workerData = {count: Number.POSITIVE_INFINITY, minutes: Number.POSITIVE_INFINITY, isTimed: false, ...options, names};
    const worker = new Worker(new URL('worker.js', import.meta.url), {
      workerData: {...workerData, memory: progress.memory},
      resourceLimits,
    });
    let last = {tries: 0, at: performance.now()};
    const finish = (next) => {
      clearInterval(watch);
      resolve({summaries, next});
    };
    const endWith = (complaint) => {
      report(names[summaries.size], {source: 'mutation', complaint, bytes: progress.input});
      finish(progress.index + 1);
    };
    const watch = setInterval(() => {
      const {tries} = progress;
      if (tries !== last.tries) last = {tries, at: performance.now()};
      else if (performance.now() - last.at > guard) {
        clearInterval(watch);
        void worker.terminate().then(() => endWith(`does not end within ${guard / 1000} s`));
      }
    }, interval);
    worker.on('message', ({name, finding, summary}) => {
      if (summary !== undefined) summaries.set(name, summary);
      else report(name, {...finding, bytes: Buffer.from(finding.bytes)});
    });
    worker.on('error', (error) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return endWith(`takes more than ${resourceLimits.maxOldGenerationSizeMb} MB`);
      clearInterval(watch);
      reject(error);
    });
    worker.on('exit', () => summaries.size === names.length && finish(0));
  });
}
