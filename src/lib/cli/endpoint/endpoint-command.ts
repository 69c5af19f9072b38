/** Commands that send the request of one endpoint, made from its record. */
import type {Interfaces} from '@oclif/core';
import type {Endpoint} from '../../api/endpoint.js';
import type {Answer} from '../../client/answer.js';
import {Failure} from '../../client/failure.js';
import {isItem, itemsOf} from '../../json/slices.js';
import {requestFor} from '../../client/request.js';
import {resolved, type FullInput} from '../../operations/operation.js';
import {openAccounts} from '../accounts.js';
import {areSeveral, joinFlags} from '../flags.js';
import {PixelctlCommand, type CommandClass, type ParsedValues} from '../command.js';
import {connect, type Connection} from '../connection.js';
import {admitted, readJob, type Job, type JobSources} from './job.js';
import {printLists, type ListRun} from './lists.js';
import {everyPage, followingChoice, pagingChoice} from './pages.js';
import {printingOf, checkFields, wantsAnswer} from '../printing.js';
import type {Given} from './request-input.js';
import type {Session} from '../session.js';
import {chosenSpec, isList, staticsOf, takesSeveral, type CommandSpec, type EndpointFlags, type OwnFlags} from './spec.js';
import type {AnswerJudge} from './sending.js';

type GivenInput = Given & {
  readonly withFlags: (input: FullInput) => FullInput;
  readonly note?: string | undefined;
  readonly judge?: AnswerJudge | undefined;
  readonly selection?: ListRun['selection'];
};

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

/** A command that sends one endpoint's request, made by {@link endpointCommand}. */
export abstract class EndpointCommand extends PixelctlCommand {
  // Repeated, because oclif reads statics of the direct parent class only.
  static override baseFlags = PixelctlCommand.baseFlags;

  abstract readonly spec: CommandSpec<Endpoint>;

  /** The parsed command line, and a function that applies the command's own flags to an input. */
  protected abstract given(): Promise<GivenInput>;

  override async run(): Promise<void> {
    const {words} = this;
    const given = await this.given();
    const {flags} = given;
    const spec = chosenSpec(this.spec, flags);
    const {endpoint} = spec;
    const session = await this.openFor(flags);
    const followed = spec.follows ? followingChoice(flags, session) : undefined;
    const printing = {...(await printingOf(session)), documented: endpoint, hides: flags['show-private'] ? undefined : endpoint.private};
    const sources = this.#sources(given, spec, session);
    const job = await readJob(sources);
    if (isList(endpoint) || (takesSeveral(spec) && areSeveral(flags))) {
      await using accounts = await openAccounts(flags, session, endpoint.errors?.onlyAdmins === true);
      await checkFields(printing, {of: 'items', endpoint}, session);
      if (given.note !== undefined) session.note(given.note);
      const isForPeople = session.out.isTerminal && !wantsAnswer(printing) && followed === undefined;
      let next: string | undefined;
      const printed = (answer: Answer) => {
        if (isForPeople) next ??= nextOf(answer.text, spec);
      };
      const {selection} = given;
      const paging = pagingChoice(flags) ?? (selection && everyPage);
      const list = {printing, printed, words: words.split(' '), typed: given, paging, selection};
      await printLists(accounts, {...list, ...listOf(job, sources)}, session, followed);
      if (next !== undefined && !session.io.isReaderGone) session.tellUnlessQuiet(next);
      return;
    }
    await using connection = await connect(session);
    const {sendJob} = await import('./sending.js');
    await sendJob(await admitted(job, connection, sources), {
      spec,
      command: words,
      flags,
      printing,
      connection,
      judge: given.judge,
    });
  }

  #sources(given: GivenInput, spec: CommandSpec<Endpoint>, session: Session): JobSources {
    return {spec, words: this.words, given, io: this.io, warn: (text) => session.warn(text)};
  }
}

/** A command class made from its specification. */
export function endpointCommand<E extends Endpoint, Own extends Record<string, unknown>>({
  own,
  ...spec
}: CommandSpec<E> & {readonly own?: OwnFlags<Own>}): CommandClass<EndpointCommand> {
  const {args: known, fields, families, ...statics} = staticsOf(spec);
  const args: Interfaces.ArgInput = known;
  const flags: Interfaces.FlagInput = joinFlags(fields, {...own?.flags}, families);
  const common: Interfaces.FlagInput = {...EndpointCommand.baseFlags, ...fields, ...families};
  return class extends EndpointCommand {
    static override summary = statics.summary;
    static override description = statics.description;
    static override details = statics.details;
    static override args = args;
    static override flags = flags;
    static override usage = statics.usage;
    static override examples = statics.examples;
    static knownValues = statics.knownValues;
    override readonly spec = spec;

    protected override async given() {
      if (own === undefined) {
        const typed = await this.typed<ParsedValues, EndpointFlags, ParsedValues>({args, flags: {}, baseFlags: common});
        return {...typed, withFlags: (input: FullInput) => input};
      }
      const typed = await this.typed<Own, EndpointFlags, ParsedValues>({args, flags: own.flags, baseFlags: common});
      const {judge} = own;
      const {instead} = spec;
      if (instead !== undefined && chosenSpec(spec, typed.flags) !== spec) {
        const lone = ['input', 'save', ...Object.keys({...fields, ...own.flags})].find((name) => typed.flags[name] !== undefined);
        if (lone !== undefined) throw new Failure('usage', `--${instead.flag} and --${lone} cannot be used together`);
        return {...typed, withFlags: (input: FullInput) => input};
      }
      return {
        ...typed,
        withFlags: (input: FullInput) => own.apply(input, typed.flags),
        note: own.note?.(typed.flags),
        selection: own.select?.(typed.flags, typed.flags),
        judge: judge && ((answer: unknown, connection: Connection) => judge(answer, typed.flags, connection)),
      };
    }
  };
}
