/** Says whether a parser behaved well on an input: it gives what it should, or an error of ours that helps. */
import {asFailure, Failure} from '../../dist/lib/client/failure.js';
import {NotText} from '../../dist/lib/files/text.js';
import {defaultAccount} from '../../dist/lib/cli/account-in-use.js';
import {hintFor} from '../../dist/lib/cli/errors.js';

/** A result that is not what it should be. Parsers of the table throw it. */
export class Wrong extends Error {
  name = 'Wrong';
}

/** Compares texts. @throws Wrong */
export function same(one, other, what) {
  if (one !== other) throw new Wrong(`${what}: ${shown(one)} became ${shown(other)}`);
}

const shown = (value) => String(JSON.stringify(value) ?? value).slice(0, 200);

/** Characters of a message, however long the input. */
const maxMessage = 15_000;

/** What only a mistake of ours puts into a message. */
const slips = /\bundefined\b|\[object |\bNaN\b|Invalid Date|\bInfinity\b|Maximum call stack|Cannot read properties/;

/** Why a failure does not help; undefined for one that does. */
function faultOf(failure, input, isPart) {
  const {code, message, details} = failure;
  const hint = hintFor(failure, defaultAccount);
  if (code === 'internal') return 'an internal error';
  const text = `${message}\n${hint ?? ''}`;
  const [slip] = slips.exec(text) ?? [];
  if (slip !== undefined && !input.includes(slip)) return `${slip} in a message`;
  if (message.trim() === '' || message.length > maxMessage) return `a message of ${message.length} characters`;
  // What a file escapes in this way may be quoted.
  if (!text.isWellFormed() && !/\\ud[89a-f]/i.test(input)) return 'half of a character in a message';
  // Mistakes in what people wrote name their place; what is allowed there is in their words.
  const isHelpful =
    isPart || hint !== undefined || details.mistakes !== undefined || code === 'bad_answer' || code === 'unavailable' || /: /.test(message);
  return isHelpful ? undefined : 'a message that does not say what to do';
}

/** Milliseconds of processor time for any input, and for each kilobyte of it. */
const maxTime = {any: 1500, kilobyte: 20};

async function run(parser, bytes) {
  const before = process.threadCpuUsage();
  try {
    const result = await parser.parse(bytes);
    return {result, before};
  } catch (error) {
    return {error, before};
  }
}

function timeOf({before}) {
  const {user, system} = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** What an outcome is like, without the words that differ between inputs: what is new is worth a place among the inputs to mutate. */
function kindOf({result, error}) {
  if (error === undefined) return `result ${typeof result === 'string' ? result.slice(0, 80) : typeof result}`;
  const words = String(error?.message)
    .slice(0, 300)
    .replaceAll(/"[^"]*"|\d+|\/\S+/g, '');
  return `${error?.name} ${error?.code ?? ''} ${words.slice(0, 120)}`;
}

/**
 * @param parser of the table
 * @param {Buffer} bytes
 * @param {{isTimed?: boolean}} options whether processor time counts
 * @returns {Promise<{kind: string, complaint: string | undefined, stack?: string}>}
 */
export async function judge(parser, bytes, {isTimed = false} = {}) {
  const outcome = await run(parser, bytes);
  const most = (maxTime.any + (maxTime.kilobyte * bytes.length) / 1024) * (parser.slowness ?? 1);
  if (isTimed && timeOf(outcome) > most) {
    // A collection of garbage, or the first compilation, may have taken the time.
    const again = Math.min(timeOf(await run(parser, bytes)), timeOf(await run(parser, bytes)));
    if (again > most) return {kind: 'slow', complaint: `takes ${Math.round(again)} ms of processor time for ${bytes.length} bytes`};
  }
  const error = outcome.error instanceof NotText ? asFailure(outcome.error) : outcome.error;
  const kind = kindOf(outcome);
  if (error === undefined || parser.isOwn?.(error) === true) return {kind, complaint: undefined};
  if (error instanceof Failure) {
    const fault = faultOf(error, bytes.toString(), parser.isPart === true);
    return {kind, complaint: fault && `${fault}: ${error.message.slice(0, 300)}`, stack: error.cause?.stack};
  }
  return {kind, complaint: `${error?.name}: ${String(error?.message).slice(0, 300)}`, stack: error?.stack};
}
