import {describe, expect, test} from 'vitest';
import {endpoints} from '../../../src/lib/api/endpoints.js';
import {factsOf} from '../../../src/lib/api/schema.js';
import {domainBlock, domainUnblock} from '../../../src/lib/operations/domains.js';
import {messageSending, threadSending} from '../../../src/lib/operations/messages.js';
import {convertInput, refuseOverLimit, requestsFor, type Operation} from '../../../src/lib/operations/operation.js';

/** Every field that may name an account instead of an id. */
const naming = endpoints.flatMap((endpoint) =>
  Object.entries({path: endpoint.pathFields, query: endpoint.query, body: endpoint.body}).flatMap(([part, fields]) =>
    Object.entries(fields).flatMap(([field, schema]) => {
      const facts = factsOf(schema);
      return facts?.names === undefined ? [] : [{name: endpoint.name, endpoint, part, field, others: facts.namesWhere ?? {}}];
    }),
  ),
);

describe.each(naming)('$name, $field', ({endpoint, part, field, others}) => {
  const inputOf = (value: unknown) => ({body: others, [part]: {...(part === 'body' && others), [field]: value}});
  const valueOf = (input: object) => Object.entries(input).flatMap(([key, fields]) => (key === part ? [fields[field]] : []))[0];

  test.each([
    ['https://pix.example/@bo', '@bo@pix.example'],
    ['bo@remote.example', '@bo@remote.example'],
    ['77', '77'],
  ])('a field of a target is converted from %s to %s, once and again', (text, name) => {
    const once = convertInput(endpoint, inputOf(text));
    expect(valueOf(once)).toBe(name);
    expect(convertInput(endpoint, once)).toEqual(once);
  });

  test('names each account of a list once', () => {
    expect(valueOf(convertInput(endpoint, inputOf(['@bo', '77', '@bo'])))).toEqual(['@bo', '77']);
  });
});

test.each<[string, Operation, string]>([
  ['blocks', domainBlock, 'https://xn--bcher-kva.example'],
  ['unblocks', domainUnblock, 'xn--bcher-kva.example'],
])('%s a domain in the form that servers require', (_, operation, domain) => {
  const once = convertInput(operation, {body: {domain: 'BÜCHER.example.'}});
  expect(once.body).toEqual({domain});
  expect(convertInput(operation, once)).toEqual(once);
});

test('leaves an excepted field unmodified', () => {
  expect(convertInput(domainBlock, {body: {domain: 'a.example'}}, 'domain').body).toEqual({domain: 'a.example'});
});

test.each(['', ' \n'])('a message to a thread of %j is refused', (message) => {
  expect(() => convertInput(threadSending, {body: {message}})).toThrow(expect.objectContaining({code: 'usage'}));
});

test('lists the uploads of a message before the message', () => {
  const requests = requestsFor(messageSending, {path: {id: '5'}, body: {message: 'Hi', media: ['a.jpg', 'b.jpg'], media_ids: ['9']}});
  expect(requests.map(({method, path}) => `${method} ${path}`)).toEqual([
    'POST /api/v2/media',
    'POST /api/v2/media',
    'POST /api/v1.1/direct/conversations/5/messages',
  ]);
  expect(requests[2]?.body).toEqual({json: {message: 'Hi', media_ids: ['9', '<id of a.jpg>', '<id of b.jpg>']}});
});

const whole = endpoints.flatMap((endpoint) =>
  Object.entries({path: endpoint.pathFields, query: endpoint.query, body: endpoint.body}).flatMap(([part, fields]) =>
    Object.entries(fields).flatMap(([field, schema]) => {
      const {known = [], knowsAll = false} = factsOf(schema) ?? {};
      return known.length === 0 ? [] : [{name: endpoint.name, endpoint, part, field, known, knowsAll}];
    }),
  ),
);

test.each(whole)('$name takes $known as $field, others too: not $knowsAll', ({endpoint, part, field, known, knowsAll}) => {
  const convert = (value: unknown) => convertInput(endpoint, {[part]: {[field]: value}});
  expect(() => convert([...known, ''])).not.toThrow();
  const refusal = {code: 'usage', message: `Unknown ${field} "odd"`, details: {hint: `known values: ${known.join(', ')}`}};
  if (knowsAll) expect(() => convert([known[0], 'odd'])).toThrow(expect.objectContaining(refusal));
  else expect(() => convert('odd')).not.toThrow();
});

describe('published limits', () => {
  const never = async () => expect.unreachable('no limits are needed');

  test('published limits are not read for an operation without a limit', async () => {
    await refuseOverLimit(domainBlock, {body: {domain: 'a.example'}}, never);
  });

  test('refuse what is over them, with `usage`', async () => {
    const refused = refuseOverLimit(threadSending, {body: {message: 'Hello'}}, async () => ({max_characters: 4}));
    await expect(refused).rejects.toMatchObject({code: 'usage', message: '5 characters; this server allows 4: nothing was sent'});
  });
});
