/** What has to be true of every command that met a fault, whichever they are. */
import {wordsOfShell} from '../../shell-words.js';
import {complaint as commandComplaint, suggestionsIn} from '../../command-lines.js';
import {exitStatuses} from '../../../src/lib/cli/errors.js';
import {sandboxToken} from '../../endpoints/table.js';
import {insidesIn, isFailure, type Failure} from '../told.js';
import type {Fault} from './faults.js';
import type {Meeting, Rehearsal} from './meeting.js';
import {requestKind, type Subject} from './subjects.js';

/** What came of a fault, as the table of `docs/reliability.md` has it. */
export interface Outcome {
  readonly status: number | null;
  /** How often the request came that the command is for. */
  readonly sent: number;
  readonly isUnknown: boolean;
  readonly message: string;
  readonly hint: string;
}

/** Milliseconds: the default of --max-wait, and three retries of the client. */
const maxWaited = 120_000 + 3 * 4000;

/** How a command ends whose own request meets a fault: as without it, or with a failure. */
export function expectedStatus({command, row}: Subject, fault: Fault, {main, ended}: Rehearsal): number | null {
  if (main === undefined && fault.group !== 'machine') return ended.status;
  const isRead = main?.startsWith('GET ') !== false;
  const end = isRead ? (fault.readsEnd ?? fault.ends) : fault.ends;
  if (end === 'done') return ended.status;
  // Nothing is lost of what says nothing.
  if (fault.name === 'full disk at standard output' && ended.stdout === '') return ended.status;
  // An endpoint for admins says so in its own words.
  const isForAdmins = row?.endpoint.errors?.onlyAdmins === true && fault.name === '403 with a reason';
  // Whose state is to be undone is not known without the account.
  const isNobodys = command === 'undo' && end === 'not_found';
  return exitStatuses[isForAdmins || isNobodys ? 'auth' : end].status;
}

/** The failure on standard error, told to scripts; notes may stand before it. */
export function failureOf(stderr: string): Failure | undefined {
  const line = stderr.split('\n').findLast((one) => one.startsWith('{"error":'));
  if (line === undefined) return undefined;
  const {error}: {error?: unknown} = JSON.parse(line);
  return isFailure(error) ? error : undefined;
}

export function outcomeOf({ended, arrivals}: Meeting, {main}: Rehearsal): Outcome {
  const failure = failureOf(ended.stderr);
  return {
    status: ended.status,
    sent: arrivals.filter(({line}) => line === main).length,
    isUnknown: failure?.fate === 'unknown',
    message: failure?.message ?? '',
    hint: failure?.hint ?? '',
  };
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Nothing, one document, or a document on each line. */
const isWhole = (text: string): boolean => text === '' || isJson(text) || (text.endsWith('\n') && text.trimEnd().split('\n').every(isJson));

/** Statuses whose results are printed: done, a difference, and partial failure. */
const withResults: readonly (number | null)[] = [0, 10, 11];

/** Advice that nobody may take who does not know what happened. */
const repeats = /\bagain\b|\bretry|\brepeat(?!ing it does no harm)|--resend/i;

function complaintsAboutWords(
  {kind, args}: Subject,
  {ended: {status, stdout, stderr}}: Meeting,
  {isForScripts, isGoneOnWith}: Form,
): string[] {
  const complaints: string[] = [];
  const complain = (isWrong: boolean, text: string) => void (isWrong && complaints.push(text));
  const isFailing = !withResults.includes(status);
  const failure = failureOf(stderr);
  if (isFailing && isForScripts) {
    complain(failure === undefined || !stderr.endsWith('}\n'), 'standard error does not end with one line of JSON');
    complain(failure !== undefined && failure.exit !== status, `the error says exit ${failure?.exit}`);
    complain(failure !== undefined && (failure.message === '' || failure.message.includes('\n')), 'the message is empty or not one line');
    complain(/[.!?][;:,](?: |$)/.test(failure?.message ?? ''), 'the message goes on after its end');
    complain(failure?.hint === null, 'the error has no hint');
  }
  if (isFailing && !isForScripts) {
    complain(!/^(?:(?!Error:|Hint:).+\n)*Error: .+\nHint: .+\n$/.test(stderr), 'standard error is not an error and a hint');
  }
  if (isForScripts) complain(!isWhole(stdout), 'standard output is not whole JSON');
  complain(isFailing && kind !== 'other' && isGoneOnWith !== true && stdout !== '', 'standard output is not empty');
  for (const line of suggestionsIn(isForScripts ? `${failure?.message}\n${failure?.hint}` : stderr)) {
    const wrong = commandComplaint(wordsOfShell(line).slice(1));
    complain(wrong !== undefined, `suggests what nobody can run: ${wrong}`);
  }
  const insides = insidesIn(stdout + stderr);
  complain(insides !== undefined, `shows its insides: ${insides}`);
  complain(stderr.includes(sandboxToken(args)), 'standard error shows the token');
  return complaints;
}

/** What was sent again that must not be. */
function complaintsAboutSending({arrivals}: Meeting): string[] {
  const acted = arrivals.filter(({fault}) => fault === undefined || fault.write === 'unknown');
  const twice = acted.filter(({line, whole}, index) => {
    const isFirst = acted.findIndex((one) => one.whole === whole) === index;
    return requestKind(line) === 'write that acts twice' && !isFirst;
  });
  const often = arrivals.filter(({whole}) => arrivals.filter((one) => one.whole === whole).length > 20);
  return [
    ...twice.map(({line}) => `${line} was sent again though it may have been carried out`),
    ...(often.length > 0 ? [`${often[0]?.line} was sent ${often.length} times`] : []),
  ];
}

export interface Form {
  readonly isForScripts: boolean;
  /** Whether it went on with the journal of another run, or left one: then its results are printed, and what a read settles may be sent again. */
  readonly isGoneOnWith?: boolean;
}

/** What is wrong with any run. */
export function complaintsAbout(subject: Subject, meeting: Meeting, form: Form): string[] {
  const {ended, waited} = meeting;
  const statuses: readonly (number | null)[] = [0, ...Object.values(exitStatuses).map(({status}) => status)];
  return [
    ...(ended.status === 1 || !statuses.includes(ended.status) ? [`ends with ${ended.status}`] : []),
    ...(waited > maxWaited && subject.kind !== 'other' ? [`waited for ${Math.round(waited / 1000)} s`] : []),
    ...complaintsAboutWords(subject, meeting, form),
    ...(form.isGoneOnWith === true ? [] : complaintsAboutSending(meeting)),
  ];
}

/** Whether a command knows, in spite of the fault, whether its write was carried out, because it looked. */
function hasSettled({arrivals}: Meeting, {main}: Rehearsal, {status, isUnknown, message}: Outcome): boolean {
  const isDone = arrivals.some(({line, isCarriedOut}) => line === main && isCarriedOut);
  return !isUnknown && (isDone ? status === 0 : message.includes('this was not carried out'));
}

/** What is wrong with the end of a command that met one fault. */
export function complaintsAboutEnd(subject: Subject, fault: Fault, rehearsal: Rehearsal, meeting: Meeting): string[] {
  const outcome = outcomeOf(meeting, rehearsal);
  const {status, isUnknown, hint} = outcome;
  const {main, ended} = rehearsal;
  const expected = expectedStatus(subject, fault, rehearsal);
  // Of what is there from the beginning, a read may fail that comes before the write.
  const mayEndBefore = fault.place !== undefined && rehearsal.arrivals[0]?.line !== main;
  const isOpen = main !== undefined && requestKind(main) !== 'read' && fault.write === 'unknown';
  const isSettled = isOpen && hasSettled(meeting, rehearsal, outcome);
  const complaints: string[] = [];
  // Commands of several requests can do without some, and tell of each by itself. Some are there to write into a home.
  const others = [
    ended.status,
    exitStatuses.partial.status,
    ...(fault.group === 'machine' ? [exitStatuses.local.status] : []),
    // Some wait for nothing.
    ...(fault.once === true ? [exitStatuses.rate_limited.status] : []),
  ];
  const isExpected = status === expected || (isSettled && status === 0) || (subject.kind === 'other' && others.includes(status));
  if (!isExpected) complaints.push(`ends with ${status} and not ${expected}`);
  const isFailure = expected !== ended.status && fault.group !== 'machine' && subject.kind !== 'other' && !mayEndBefore;
  if (isFailure && !isSettled && isUnknown !== isOpen) complaints.push(`says that the outcome is ${isUnknown ? '' : 'not '}unknown`);
  if (isUnknown && repeats.test(hint)) complaints.push('advises to repeat what may have been carried out');
  return complaints;
}

/** What acts twice and was carried out twice. */
export function actedTwice({arrivals}: Meeting): string[] {
  const done = arrivals.filter(({isCarriedOut, line}) => isCarriedOut && requestKind(line) === 'write that acts twice');
  return done.filter(({whole}, index) => done.findIndex((one) => one.whole === whole) !== index).map(({line}) => `${line} acted twice`);
}

/** What is wrong with the end of a write that met two faults in one run. */
export function complaintsAboutPair(subject: Subject, first: Fault, second: Fault, meeting: Meeting, main: string | undefined): string[] {
  const rehearsal = {...meeting, main};
  const outcome = outcomeOf(meeting, rehearsal);
  const isRepeated = main !== undefined && requestKind(main) === 'repeatable write';
  const last = isRepeated ? second : first;
  const isForAdmins = subject.row?.endpoint.errors?.onlyAdmins === true && last.name === '403 with a reason';
  const end = isForAdmins ? 'auth' : last.ends;
  const status = end === 'done' ? 0 : exitStatuses[end].status;
  const complaints: string[] = [];
  const complain = (isWrong: boolean, text: string) => void (isWrong && complaints.push(text));
  if (hasSettled(meeting, rehearsal, outcome) || outcome.status === 0) {
    complain(
      outcome.status === 0 && !meeting.arrivals.some(({line, isCarriedOut}) => line === main && isCarriedOut),
      'says that it was done',
    );
    return complaints;
  }
  // The server may refuse what it did at the first attempt.
  complain(end !== 'done' && outcome.status !== status, `ends with ${outcome.status} and not ${status}`);
  complain(!outcome.isUnknown, 'does not say that the outcome is unknown');
  complain(!isRepeated && outcome.sent > 1, `was sent ${outcome.sent} times`);
  complain(repeats.test(outcome.hint), 'advises to repeat what may have been carried out');
  return complaints;
}
