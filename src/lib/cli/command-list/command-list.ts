/** Lists what each command takes, sends and ends with, for programs. It reads the manifest and the records. */
import type {Command, Config} from '@oclif/core';
import {ProgramConfig} from '../shell/program-config.js';
import {isWrite} from '../../api/endpoint.js';
import type {FailureCode} from '../../client/failure.js';
import type {CommandClass} from '../command.js';
import {specOf} from '../endpoint/endpoint-command.js';
import {otherRequests} from '../endpoint/spec.js';
import {exitStatuses} from '../errors.js';
import {helpGroups} from '../flags.js';
import {type Result} from '../sink.js';

/** Every command may end with these: mistakes, files that cannot be used, interruptions. */
const always: readonly FailureCode[] = ['internal', 'usage', 'local', 'interrupted', 'terminated'];
const ofRequests: readonly FailureCode[] = ['auth', 'not_found', 'refused', 'rate_limited', 'unavailable', 'bad_answer'];

/** The requests that a text names, `GET /api/v2/filters`; a path without a method gets the one before it. */
function requestsIn(text: string): string[] {
  let method = '';
  const found = Array.from(text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE)\b|\/api\/[\w./{}-]*[\w}]/g), ([word, verb]) => {
    if (verb === undefined) return `${method} ${word}`;
    method = verb;
    return [];
  });
  return [...new Set(found.flat())];
}

function argumentsOf({args}: Command.Cached) {
  return Object.values(args).map(({name, description, required, multiple}) => ({
    name,
    about: description ?? null,
    required: required === true,
    many: multiple === true,
  }));
}

/** @param isGlobal whether to return the global flags, or those of the command */
function flagsOf({flags}: Command.Cached, isGlobal: boolean) {
  return Object.values(flags)
    .filter(({hidden, helpGroup}) => hidden !== true && (helpGroup === helpGroups.global) === isGlobal)
    .map((flag) => ({
      name: `--${flag.name}`,
      short: flag.char === undefined ? null : `-${flag.char}`,
      about: flag.description ?? null,
      value: flag.type === 'option' ? (flag.helpValue ?? flag.name.toUpperCase()) : null,
      negatable: flag.type === 'boolean' && flag.allowNo === true,
      many: flag.type === 'option' && flag.multiple === true,
      values: (flag.type === 'option' && flag.options) || null,
    }));
}

/** @param Class the command itself, which knows its record */
function behaviourOf(Class: CommandClass, entry: Command.Cached) {
  const spec = specOf(Class);
  const asks = entry.flags['yes'] !== undefined && entry.flags['yes'].hidden !== true;
  if (spec !== undefined) {
    const {endpoint, question} = spec;
    const {method, path, section, scope, anonymous, repeat} = endpoint;
    return {
      sends: [`${method} ${path}`, ...otherRequests(spec)],
      documented: section !== null,
      scopes: anonymous === true || scope === null ? [] : [scope],
      token: anonymous !== true,
      writes: isWrite(endpoint),
      asks: question !== undefined,
      repeatable: repeat === 'harmless',
    };
  }
  const text = `${entry.description ?? ''}\n${Class.details ?? ''}`;
  const [, scopes = ''] = /token with the scopes? ((?:[a-z:]+)(?:(?:, | and )[a-z:]+)*)/.exec(text) ?? [];
  const names = scopes.split(/, | and /).filter(Boolean);
  const sends = requestsIn(text);
  return {
    sends,
    documented: true,
    scopes: names,
    token: sends.length > 0 || names.length > 0 || Class.writes,
    writes: Class.writes,
    asks: Class.writes && asks,
    repeatable: Class.isRepeatable,
  };
}

/** The codes of failure that a command can end with, in the order of their exit statuses. */
function exitStatusesOf(Class: CommandClass, isSent: boolean, {flags}: Command.Cached) {
  const hasMany = ['all-profiles', 'from', 'journal', 'fail-fast'].some((name) => name in flags);
  const codes: readonly FailureCode[] = [
    ...always,
    ...(isSent ? ofRequests : []),
    ...(Class.findsDrift ? (['drift'] as const) : []),
    ...(hasMany ? (['partial'] as const) : []),
  ];
  const rows = codes.map((code) => ({status: exitStatuses[code].status, code}));
  return [{status: 0, code: null}, ...rows.sort((one, other) => one.status - other.status)];
}

export async function commandList(config: ProgramConfig) {
  const entries = config.commands.filter(({hidden}) => hidden !== true);
  const commands = await Promise.all(
    entries.map(async (entry) => {
      const Class = await config.loadCommand(entry.id);
      const behaviour = behaviourOf(Class, entry);
      return {
        command: `pixelctl ${entry.id.replaceAll(':', ' ')}`,
        summary: entry.summary ?? '',
        description: entry.description ?? '',
        arguments: argumentsOf(entry),
        flags: flagsOf(entry, false),
        ...behaviour,
        exit_statuses: exitStatusesOf(Class, behaviour.token || behaviour.sends.length > 0, entry),
        examples: [entry.examples ?? []].flat().map((example) => (typeof example === 'string' ? example : example.command)),
      };
    }),
  );
  const [first] = entries;
  return {commands, global_flags: first === undefined ? [] : flagsOf(first, true)};
}

/** The commands: a table for people, and every detail for programs. */
export async function listCommands(config: Config): Promise<Result> {
  if (!(config instanceof ProgramConfig)) throw new Error('The program was not started by its own entry point');
  return {document: await commandList(config), at: ['commands']};
}
