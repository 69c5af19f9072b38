/** Ends the process at its write of this number, in the middle of it; tells how many there were of one that is not ended. */
export const killer = (at: number, tally: string) => `
import fs from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import plain, {writeFileSync} from 'node:fs';
let count = 0;
const isTheOne = () => ++count === ${at};
const kill = () => process.kill(process.pid, 'SIGKILL');
const {open, rename, rm, mkdir} = fs;
for (const [name, act] of Object.entries({rename, rm, mkdir})) {
  fs[name] = async (...given) => {
    const isLast = isTheOne();
    if (!isLast) return act(...given);
    // Every other one is carried out before the process ends.
    if (${at} % 2 === 0) await act(...given).catch(() => {});
    kill();
  };
}
const {appendFileSync} = plain;
plain.appendFileSync = (file, text) => {
  if (!isTheOne()) return appendFileSync(file, text);
  appendFileSync(file, text.slice(0, text.length / 2));
  kill();
};
fs.open = async (...given) => {
  const file = await open(...given);
  const {write, writeFile} = file;
  file.write = async (bytes) => {
    if (!isTheOne()) return write.call(file, bytes);
    await write.call(file, bytes.subarray(0, bytes.length / 2));
    kill();
  };
  file.writeFile = async (text) => {
    if (!isTheOne()) return writeFile.call(file, text);
    const all = typeof text === 'string' || text instanceof Uint8Array ? text : [...text].join('');
    await writeFile.call(file, all.slice(0, all.length / 2));
    kill();
  };
  return file;
};
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(${JSON.stringify(tally)}, String(count)));
`;

/** The numbers of all writes at which a process can be killed that makes so many. */
export const killsAt = (writes: number): readonly number[] => Array.from({length: writes}, (_, index) => index + 1);
