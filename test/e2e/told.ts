/** How a failure is told: to people in two or three lines, to scripts in one line of JSON. */
import {expect} from 'vitest';
import {failureIn, type Failure} from '../told-failure.js';
import {run} from './in-process.js';
import {root, type Circumstances, type Ended} from './program.js';

export {failureIn, isFailure, type Failure} from '../told-failure.js';

export interface Told {
  readonly people: Ended;
  readonly scripts: Ended;
  /** What scripts are told. */
  readonly failure: Failure;
}

/** A stack trace, or anything else of the program's own, that nobody must be shown. */
export function insidesIn(text: string): string | undefined {
  const own = /^\s+at .*[:)]|node:|node_modules|dist\/lib|undefined|\[object /m.exec(text)?.[0];
  return own ?? (text.includes(root) ? root : undefined);
}

/** Whatever goes wrong: no stack trace, nothing of the program's own, no secret. */
export function expectDiscreet({stdout, stderr}: Ended, secrets: readonly string[] = []): void {
  const all = stdout + stderr;
  expect(insidesIn(all)).toBeUndefined();
  for (const secret of secrets) expect(all).not.toContain(secret);
}

/** Runs a command that fails, both ways, and sees that both tell the same. */
export async function failing(args: readonly string[], circumstances: Circumstances = {}): Promise<Told> {
  const [people, scripts] = await Promise.all([run(args, circumstances), run([...args, '--json'], circumstances)]);
  const failure = failureIn(scripts.stderr);
  const hint = failure.hint === null ? '' : `Hint: ${failure.hint}\n`;
  expect(people.stderr).toBe(`Error: ${failure.message.replaceAll('\n', ' ')}\n${hint}`);
  expect(people.stderr.split('\n').length).toBeLessThanOrEqual(4);
  expect([people.stdout, scripts.stdout]).toEqual(['', '']);
  expect([people.status, scripts.status]).toEqual([failure.exit, failure.exit]);
  const secrets = Object.entries(circumstances.env ?? {}).flatMap(([name, value]) =>
    /^PIXELCTL_TOKEN(?!_FILE$)/.test(name) && value !== '' ? [value] : [],
  );
  for (const ended of [people, scripts]) expectDiscreet(ended, secrets);
  return {people, scripts, failure};
}
