/** The exit status of every kind of failure. Scripts rely on these numbers: none changes its meaning. */
import type {FailureCode} from '../client/failure.js';

interface ExitStatus {
  readonly status: number;
  readonly meaning: string;
}

export const exitStatuses: Readonly<Record<FailureCode, ExitStatus>> = {
  internal: {status: 1, meaning: 'a fault of pixelctl itself'},
  usage: {
    status: 2,
    meaning: 'a wrong flag, argument or input file, or over a limit that the server publishes: nothing was sent',
  },
  auth: {status: 3, meaning: 'no token, one that the server does not accept, or one without the scope'},
  not_found: {status: 4, meaning: 'there is no such thing, or the server does not offer this feature'},
  refused: {status: 5, meaning: 'the server refused the input'},
  rate_limited: {status: 6, meaning: 'still limited after waiting as told, or the wait would pass `--max-wait`'},
  unavailable: {status: 7, meaning: 'no connection, TLS, time-out (408 and 499 too), or a server error'},
  bad_answer: {status: 8, meaning: 'an answer that is not the documented JSON, or a redirect that is not followed'},
  local: {
    status: 9,
    meaning:
      'this machine failed: disk full, file not readable or writable; or the request was carried out and `--jq` failed on its answer',
  },
  drift: {status: 10, meaning: 'audit, plan, diff or contains: there is a difference; apply: what the API cannot change is left'},
  partial: {status: 11, meaning: 'many targets or accounts, some or all failed; the results say which'},
  interrupted: {status: 130, meaning: 'interrupted; what was finished is kept'},
  terminated: {status: 143, meaning: 'terminated; what was finished is kept'},
};
