/** Many targets: one request each, one result each, in the order they were given. */
import type {Answer} from '../../client/answer.js';
import type {Connection} from '../connection.js';
import type {Target} from '../input/targets.js';
import {runSteps, type RunFlags} from './run-steps.js';
import type {Printing} from './printing.js';

export interface TargetRun {
  /** Of the command, in words. */
  readonly command: string;
  readonly repeat: 'harmless' | 'never';
  /** Everything but the targets that decides what is sent. */
  readonly input: string;
  readonly flags: RunFlags;
  readonly printing: Printing;
  readonly connection: Connection;
}

/** @throws Failure as {@link runSteps} does */
export async function runTargets(
  targets: readonly Target[],
  send: (target: Target, connection: Connection) => Promise<Answer>,
  {repeat, input, ...run}: TargetRun,
): Promise<void> {
  const names = targets.map(({value = ''}) => value);
  await runSteps(
    {
      total: targets.length,
      inputs: [input, ...names],
      *steps(connection) {
        for (const [index, target] of targets.entries()) {
          yield {target: names[index] ?? '', repeat, run: () => send(target, connection)};
        }
      },
    },
    run,
  );
}
