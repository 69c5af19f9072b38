/** Runs a parser in a thread that it may not keep busy for too long, nor fill. */
import {Worker} from 'node:worker_threads';

/** Bounds of the thread: its stack is as large as that of the program. */
const resourceLimits = {maxOldGenerationSizeMb: 512, stackSizeMb: 1};

/** Bytes of the input that is shown to this thread. */
const maxShown = 4 * 1024 * 1024;

/** Milliseconds between two looks at the other thread, and without any progress before it is ended. */
const interval = 250;
const guard = 60_000;

/**
 * @typedef {{source: string, complaint: string, stack?: string, bytes: Buffer}} Finding
 * @param {{name: string, seed: number, count?: number, minutes?: number, isTimed?: boolean, mayRunOn?: boolean, tell?: (finding: Finding) => void}} options
 *   count: inputs beside those that are kept; isTimed: whether processor time counts
 * @returns {Promise<{tries: number, kinds: number, findings: Finding[]}>}
 */
export async function runParser({name, seed, count = Number.POSITIVE_INFINITY, minutes = Number.POSITIVE_INFINITY, isTimed = false, tell}) {
  const findings = [];
  const report = (finding) => {
    findings.push(finding);
    tell?.(finding);
  };
  const end = performance.now() + minutes * 60_000;
  let [from, tries, kinds] = [0, 0, 0];
  for (;;) {
    const left = (end - performance.now()) / 60_000;
    const ended = await oneThread({name, seed, from, count, minutes: left, isTimed}, report);
    tries += ended.tries;
    kinds = Math.max(kinds, ended.kinds);
    if (ended.next === undefined) return {tries, kinds, findings};
    from = ended.next;
  }
}

/** @returns next: the input to go on with, where the thread was ended */
function oneThread(data, report) {
  return new Promise((resolve, reject) => {
    const current = new SharedArrayBuffer(8 + maxShown);
    const [header, content] = [new Int32Array(current, 0, 2), new Uint8Array(current, 8)];
    const worker = new Worker(new URL('worker.js', import.meta.url), {workerData: {...data, current}, resourceLimits});
    let last = {tries: 0, at: performance.now()};
    let index = data.from;
    let summary;
    const inputNow = () => Buffer.from(content.slice(0, Atomics.load(header, 1)));
    const endWith = (complaint) => {
      report({source: 'mutation', complaint, bytes: inputNow()});
      finish({tries: Atomics.load(header, 0), kinds: 0, next: index + 1});
    };
    const watch = setInterval(() => {
      const found = Atomics.load(header, 0);
      if (found !== last.tries) last = {tries: found, at: performance.now()};
      else if (performance.now() - last.at > guard) void worker.terminate().then(() => endWith(`does not end within ${guard / 1000} s`));
    }, interval);
    const finish = (result) => {
      clearInterval(watch);
      resolve(result);
    };
    worker.on('message', (message) => {
      if (message.finding) report({...message.finding, bytes: Buffer.from(message.finding.bytes)});
      else if (message.index !== undefined) index = message.index;
      else summary = message;
    });
    worker.on('error', (error) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return endWith(`takes more than ${resourceLimits.maxOldGenerationSizeMb} MB`);
      clearInterval(watch);
      reject(error);
    });
    worker.on('exit', () => summary && finish({...summary, next: undefined}));
  });
}
