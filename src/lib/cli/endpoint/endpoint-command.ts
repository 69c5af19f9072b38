/** Commands that send the request of one endpoint, made from its record. */
import type {Interfaces} from '@oclif/core';
import type {Endpoint} from '../../api/endpoint.js';
import {Failure} from '../../client/failure.js';
import {requestFor} from '../../client/request.js';
import {resolveInput} from '../../operations/operation.js';
import {readAccounts, type ReadAccount} from '../account-driver.js';
import {command, type CommandClass, type CommandRun, type ParsedValues} from '../command.js';
import {connect} from '../connection.js';
import {areSeveral, joinFlags} from '../flags.js';
import {checkFields, type Result} from '../sink.js';
import {admitTargets, readInput} from './command-input.js';
import {followingChoice, pagingChoice, readList} from './lists.js';
import {definitionOf, isList, takesSeveral, type CommandSpec, type EndpointFlags, type EndpointRun, type OwnFlags} from './spec.js';

/** The endpoint that the flags choose. @param fields the flags of the record @throws Failure `usage` for flags that do not go together */
function chooseEndpoint<Own extends ParsedValues>(
  spec: CommandSpec<Endpoint>,
  own: OwnFlags<Own> | undefined,
  run: CommandRun<ParsedValues, EndpointFlags & Own>,
  fields: readonly string[],
): EndpointRun {
  const {instead} = spec;
  const given: ParsedValues = run.flags;
  if (instead === undefined || (given[instead.flag] ?? false) === false) return {...run, spec, own};
  const lone = ['input', 'save', ...fields, ...Object.keys(own?.flags ?? {})].find((name) => given[name] !== undefined);
  if (lone !== undefined) throw new Failure('usage', `--${instead.flag} and --${lone} cannot be used together`);
  return {...run, spec: {...spec, endpoint: instead.endpoint}};
}

async function runEndpoint(run: EndpointRun): Promise<Result> {
  const {spec, flags, session, printing, opened, own} = run;
  const {endpoint} = spec;
  const followed = spec.follows ? followingChoice(flags, session) : undefined;
  const shape = {view: endpoint.view, documented: endpoint, hides: flags['show-private'] ? undefined : endpoint.private};
  const given = await readInput(run);
  if (isList(endpoint) || (takesSeveral(spec) && areSeveral(flags))) {
    await checkFields(printing, {of: 'items', endpoint, areOfAccounts: areSeveral(flags)}, session);
    const selection = own?.select?.(flags);
    const paging = pagingChoice(flags) ?? (selection && {most: undefined, from: undefined});
    const read: ReadAccount = async (connection, stop) => {
      await admitTargets(given, connection, run);
      const input = await resolveInput(endpoint, given.common, connection);
      const list = {endpoint, request: requestFor(endpoint, input), paging, selection};
      // If the names cannot be read, ids are printed.
      const names = spec.names && (async () => spec.names?.(input, connection).catch(() => undefined));
      if (followed === undefined) return {...(await readList(list, connection, stop)), names};
      const {followList} = await import('./follow.js');
      return {...(await followList(list, connection, followed, stop)), names};
    };
    return readAccounts(run, read, shape);
  }
  const connection = opened.use(await connect(session));
  const {sendInput} = await import('./sending.js');
  const input = await admitTargets(given, connection, run);
  return {...shape, ...(await sendInput({...run, connection, input, items: input.items}))};
}

const specs = new WeakMap<object, CommandSpec<Endpoint>>();

/** The spec of an endpoint command; undefined for any other command. */
export function specOf(commandClass: object): CommandSpec<Endpoint> | undefined {
  return specs.get(commandClass);
}

export function endpointCommand<E extends Endpoint, Own extends Record<string, unknown>>({
  own,
  ...given
}: CommandSpec<E> & {readonly own?: OwnFlags<Own>}): CommandClass {
  const spec: CommandSpec<Endpoint> = {...given, arguments: {...given.arguments, ...given.targets}};
  const {fields, families, ...words} = definitionOf(spec);
  const made = command<EndpointFlags & Own>({
    ...words,
    flags: joinFlags<Interfaces.FlagInput[]>(fields, own?.flags ?? {}, families),
    run: (run) => runEndpoint(chooseEndpoint(spec, own, run, Object.keys(fields))),
  });
  specs.set(made, spec);
  return made;
}
