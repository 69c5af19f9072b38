/** What is sent for which arguments and flags, command by command. */
import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {accountsFlags} from '../../src/lib/cli/flags.js';
import {isWrite} from '../../src/lib/api/endpoint.js';
import {inputFields, type InputField} from '../../src/lib/cli/endpoint/input-fields.js';
import {endpointCommands, type SpecifiedCommand} from '../endpoint-commands.js';
import {runCommand, server, serverThatSays} from '../run-command.js';
import type {DocumentedRequest} from '../endpoints/row.js';
import {asAsked, rowOf, table} from '../endpoints/table.js';
import {commandWith} from '../manifest.js';

const commands = await endpointCommands();
test.each(table)('$command takes these arguments and flags', ({command, takes}) => {
  const [args = '', flags = ''] = takes.split(/(?<=^| )\|/).map((part) => part.trim());
  const found = commandWith(command.replaceAll(' ', ':'));
  if (found === undefined) throw new Error(`There is no command ${command}`);
  // Lists take several accounts, which is tested for all of them elsewhere.
  const own = Object.values(found.flags).filter(({name, helpGroup}) => helpGroup === undefined && !(name in accountsFlags));
  const shown = own.map((flag) => {
    const isRepeated = flag.type === 'option' && flag.multiple === true;
    return `--${flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''}${flag.name}${isRepeated ? '*' : ''}`;
  });
  expect(
    Object.values(found.args)
      .map(({name, multiple}) => name + (multiple ? '...' : ''))
      .join(' '),
  ).toBe(args);
  expect(shown.sort()).toEqual(
    flags
      .split(' ')
      .filter((name) => name !== '')
      .sort(),
  );
});

test('commands that destroy something ask first', () => {
  expect(
    commands
      .filter(({spec}) => spec.question !== undefined)
      .map(({command}) => command)
      .sort(),
  ).toEqual(table.flatMap(({command, asks}) => (asks ? [command] : [])).sort());
});

interface Typed extends SpecifiedCommand {
  readonly request: DocumentedRequest;
  readonly answer: unknown;
}

/**
 * Files have tests of their own, and so have the keywords of filters, which no single flag stands for, and commands that make several
 * requests of one input, or read before they write.
 */
const plain: Typed[] = commands
  .filter(({command, spec: {endpoint}}) => endpoint.files === undefined && endpoint.body === rowOf(command).endpoint.body)
  .filter(({command, spec: {endpoint}}) => command !== 'admin domain-blocks update' && endpoint.finding === undefined)
  .flatMap((one) => {
    const {requests, answer} = rowOf(one.command);
    return requests.map((request) => ({...one, request, answer: asAsked(answer, request.json)}));
  });

function partOf({input}: DocumentedRequest, part: InputField['part']): Readonly<Record<string, unknown>> {
  const given: Readonly<Record<string, unknown>> = {...input[part]};
  return given;
}

function words(value: unknown): string[] {
  return [value].flat().map(String);
}

/** The words for a field: its argument, or its flag; undefined where it cannot be typed. */
function typed(field: InputField, {spec}: SpecifiedCommand, value: unknown): {args: string[]; flags: string[]} | undefined {
  const {argument, flag} = field;
  if (argument !== undefined) return {args: words(value), flags: []};
  if (flag === undefined || field.kind === 'other') return undefined;
  if (field.kind !== 'boolean') return {args: [], flags: words(value).flatMap((word) => [`--${flag}`, word])};
  if (value === true) return {args: [], flags: [`--${flag}`]};
  return spec.negatable?.includes(field.name) ? {args: [], flags: [`--no-${flag}`]} : undefined;
}

interface Received {
  readonly line: string;
  readonly json: unknown;
}

async function sent(
  {spec: {endpoint}, answer}: Typed,
  line: readonly string[],
  input?: string,
): Promise<{received: Received[]; status: number; stderr: string}> {
  const received: Received[] = [];
  const path = new RegExp(`^${endpoint.path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/?]+')}([?].*)?$`);
  nock(server)
    .intercept(path, endpoint.method)
    .reply(200, async (request: Request) => {
      const {pathname, search} = new URL(request.url);
      const text = await request.text();
      received.push({line: `${request.method} ${pathname}${decodeURIComponent(search)}`, json: text === '' ? undefined : JSON.parse(text)});
      return JSON.stringify(answer);
    });
  serverThatSays();
  const {status, stderr} = await runCommand(line, {input});
  return {received, status, stderr};
}

function always({spec}: SpecifiedCommand): string[] {
  return [
    '--json',
    '--quiet',
    ...(isWrite(spec.endpoint) ? ['--yes'] : []),
    ...(spec.endpoint.overLimit !== undefined ? ['--no-limits'] : []),
  ];
}

describe('arguments and flags go where the contract says', () => {
  const typable = plain.flatMap((one) => {
    const fields = inputFields(one.spec.endpoint, one.spec).filter(({name, part}) => name in partOf(one.request, part));
    const parts = fields.map((field) => ({field, said: typed(field, one, partOf(one.request, field.part)[field.name])}));
    return parts.every(({said}) => said !== undefined) ? [{...one, parts}] : [];
  });

  test('covers nearly all documented requests', () => {
    const count = (all: readonly SpecifiedCommand[]) => new Set(all.map(({command}) => command)).size;
    expect(count(plain)).toBeGreaterThan(50);
    expect(count(typable)).toBeGreaterThan(count(plain) - 3);
  });

  test.each(typable)('$command: $request.sends', async ({parts, ...one}) => {
    const {command, spec, request} = one;
    const order = Object.keys(spec.arguments ?? {});
    const inOrder = parts.toSorted((left, right) => order.indexOf(left.field.name) - order.indexOf(right.field.name));
    const line = [
      ...command.split(' '),
      ...inOrder.flatMap(({said}) => said?.flags ?? []),
      ...always(one),
      ...inOrder.flatMap(({said}) => said?.args ?? []),
    ];
    const {received, status, stderr} = await sent(one, line);
    expect({status, stderr, received}).toEqual({status: 0, stderr: '', received: [{line: request.sends, json: request.json}]});
  });
});

describe('--input takes the whole body', () => {
  const embodied = plain.filter(({spec: {endpoint}, request}) => Object.keys(endpoint.body).length > 0 && request.json !== undefined);

  test.each(embodied)('$command: $request.sends', async (one) => {
    const {command, spec, request} = one;
    const inPath = Object.keys(spec.endpoint.pathFields).map((name) => String(partOf(request, 'path')[name]));
    const query = inputFields(spec.endpoint, spec).flatMap((field) =>
      field.part === 'query' && field.name in partOf(request, 'query')
        ? (typed(field, one, partOf(request, 'query')[field.name])?.flags ?? [])
        : [],
    );
    const line = [...command.split(' '), ...query, ...always(one), '--input', '-', ...inPath];
    const {received, status, stderr} = await sent(one, line, JSON.stringify(partOf(request, 'body')));
    expect({status, stderr, received: received.map(({json}) => json)}).toMatchObject({status: 0, stderr: '', received: [request.json]});
  });
});
