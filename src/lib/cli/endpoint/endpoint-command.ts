/** Commands that send the request of one endpoint, made from its record. */
import type {Endpoint} from '../../api/endpoint.js';
import type {Answer} from '../../client/answer.js';
import {Failure} from '../../client/failure.js';
import {isItem, itemsOf} from '../../json/slices.js';
import {requestFor} from '../../client/request.js';
import {resolved, type FullInput} from '../../operations/operation.js';
import {openAccounts} from '../accounts.js';
import {areSeveral} from '../flags.js';
import {command, type CommandClass, type CommandRun, type ParsedValues} from '../command.js';
import {connect, type Connection} from '../connection.js';
import {admitted, readJob, type Job, type JobSources} from './job.js';
import {printLists, type ListRun} from './lists.js';
import {everyPage, followingChoice, pagingChoice} from './pages.js';
import {printingOf, checkFields, wantsAnswer} from '../printing.js';
import {chosenSpec, definitionOf, isList, takesSeveral, type CommandSpec, type EndpointFlags, type OwnFlags} from './spec.js';
import type {AnswerJudge} from './sending.js';

/** The list that a job asks for, as an account sees it. */
function listOf(job: Job, sources: JobSources): Pick<ListRun, 'endpoint' | 'names' | 'requestOf'> {
  const {endpoint, names} = sources.spec;
  const inputOf = (connection: Connection) => resolved(endpoint, job.common, connection);
  return {
    endpoint,
    async requestOf(connection) {
      await admitted(job, connection, sources);
      return requestFor(endpoint, await inputOf(connection));
    },
    // Without names, ids are printed.
    names:
      names &&
      ((connection) =>
        inputOf(connection)
          .then((input) => names(input, connection))
          .catch(() => undefined)),
  };
}

/** What else can be done with the first item of an answer. */
function nextOf(text: string, {endpoint, next}: CommandSpec<Endpoint>): string | undefined {
  const item = next === undefined ? undefined : itemsOf(text, endpoint.rows).texts.find(isItem);
  return item === undefined ? undefined : next?.(JSON.parse(item));
}

/** What the command's own flags make of a run. */
interface Chosen {
  readonly spec: CommandSpec<Endpoint>;
  readonly withFlags: (input: FullInput) => FullInput;
  readonly note?: string | undefined;
  readonly judge?: AnswerJudge | undefined;
  readonly selection?: ListRun['selection'];
}

/** @throws Failure `usage` for flags of what it does otherwise */
function chosenBy<Own extends ParsedValues>(
  spec: CommandSpec<Endpoint>,
  own: OwnFlags<Own> | undefined,
  {flags, fields}: {readonly flags: EndpointFlags & Own; readonly fields: readonly string[]},
): Chosen {
  const chosen = chosenSpec(spec, flags);
  const {instead} = spec;
  const plain = {spec: chosen, withFlags: (input: FullInput) => input};
  if (own === undefined) return plain;
  if (instead !== undefined && chosen !== spec) {
    const given: ParsedValues = flags;
    const lone = ['input', 'save', ...fields, ...Object.keys(own.flags)].find((name) => given[name] !== undefined);
    if (lone !== undefined) throw new Failure('usage', `--${instead.flag} and --${lone} cannot be used together`);
    return plain;
  }
  const {judge} = own;
  return {
    spec: chosen,
    withFlags: (input) => own.apply(input, flags),
    note: own.note?.(flags),
    selection: own.select?.(flags, flags),
    judge: judge && ((answer, connection) => judge(answer, flags, connection)),
  };
}

/** What a command of an endpoint does. */
async function runEndpoint({spec, withFlags, note, judge, selection}: Chosen, run: CommandRun<ParsedValues, EndpointFlags>): Promise<void> {
  const {args, flags, session, words} = run;
  const {endpoint} = spec;
  const {io} = session;
  const followed = spec.follows ? followingChoice(flags, session) : undefined;
  const printing = {...(await printingOf(session)), documented: endpoint, hides: flags['show-private'] ? undefined : endpoint.private};
  const given = {args, flags, withFlags};
  const sources: JobSources = {spec, words, given, io, warn: (text) => session.warn(text)};
  const job = await readJob(sources);
  if (isList(endpoint) || (takesSeveral(spec) && areSeveral(flags))) {
    await using accounts = await openAccounts(flags, session, endpoint.errors?.onlyAdmins === true);
    await checkFields(printing, {of: 'items', endpoint}, session);
    if (note !== undefined) session.note(note);
    const isForPeople = session.out.isTerminal && !wantsAnswer(printing) && followed === undefined;
    let next: string | undefined;
    const printed = (answer: Answer) => {
      if (isForPeople) next ??= nextOf(answer.text, spec);
    };
    const paging = pagingChoice(flags) ?? (selection && everyPage);
    const list = {printing, printed, words: words.split(' '), typed: given, paging, selection};
    await printLists(accounts, {...list, ...listOf(job, sources)}, session, followed);
    if (next !== undefined && !io.isReaderGone) session.tellUnlessQuiet(next);
    return;
  }
  await using connection = await connect(session);
  const {sendJob} = await import('./sending.js');
  await sendJob(await admitted(job, connection, sources), {spec, command: words, flags, printing, connection, judge});
}

const specs = new WeakMap<object, CommandSpec<Endpoint>>();

/** What the file of a command says of it; undefined for one that is not of an endpoint. */
export function specOf(commandClass: object): CommandSpec<Endpoint> | undefined {
  return specs.get(commandClass);
}

/** A command that sends the request of one endpoint. */
export function endpointCommand<E extends Endpoint, Own extends Record<string, unknown>>({
  own,
  ...spec
}: CommandSpec<E> & {readonly own?: OwnFlags<Own>}): CommandClass {
  const {fields, families, ...words} = definitionOf(spec);
  const made = command<EndpointFlags & Own>({
    ...words,
    flags: [fields, own?.flags ?? {}, families],
    run: (run) => runEndpoint(chosenBy(spec, own, {flags: run.flags, fields: Object.keys(fields)}), run),
  });
  specs.set(made, spec);
  return made;
}
