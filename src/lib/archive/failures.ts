/** Which failures are of one conversation, and which of the run. */
import {asFailure, Failure, localFailure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';

/** Files of a conversation that no export writes. Others are not concerned. */
export class Damaged extends Failure {
  constructor(path: string, line: number) {
    super('local', `${path} is damaged at line ${line}: the conversation is left as it is`, {
      hint: 'move its folder away and run this again',
    });
  }
}

/** Whether a failure is one of the run, after which no other conversation is tried. */
export function endsAll(failure: Failure): boolean {
  const {code} = failure;
  if (failure instanceof Damaged) return false;
  return code !== 'not_found' && code !== 'refused' && code !== 'bad_answer' && code !== 'unavailable';
}

/** What anything thrown is as a failure: an error of the system is one of the folder. */
export function ownFailure(error: unknown, folder: string, what: 'read' | 'write to' = 'write to'): Failure {
  return systemCode(error) === undefined ? asFailure(error) : localFailure(`Cannot ${what} ${folder}`, error);
}
