/** What standard output and standard error can show. */
import type {Terminal} from '../print/print.js';

type Environment = Readonly<Record<string, string | undefined>>;

function wantsColor(isTerminal: boolean, environment: Environment): boolean {
  const {NO_COLOR = '', FORCE_COLOR, TERM} = environment;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

export function describeTerminal(
  stream: {readonly isTTY?: boolean; readonly columns?: number},
  environment: Environment = process.env,
): Terminal {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    width: isTerminal ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
    color: wantsColor(isTerminal, environment),
  };
}
