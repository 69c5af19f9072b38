/** Where accounts are found, and what a server says of one's own. */
import {expect, test} from 'vitest';
import {asFailure, type Failure} from '../../../src/lib/client/failure.js';
import {AccountDirectory, hostOfAccounts, whoAmI} from '../../../src/lib/operations/accounts.js';
import {expectIds} from '../../../src/lib/operations/expected-ids.js';
import {answeringServer, serverWith} from './answering-server.js';

const self = 'GET /api/v1/accounts/verify_credentials';
const byName = (name: string) => `GET /api/v1.1/accounts/username/${name}`;

const failureOf = (work: Promise<unknown>): Promise<Failure> => work.then(() => expect.unreachable('it fails'), asFailure);

test('an id from a list is used where the server confirms it', async () => {
  const url = 'https://remote.example/@bo';
  const {client, asked} = await serverWith({'GET /api/v1/accounts/5': {id: '5', username: 'bo', acct: 'bo@remote.example', url}});
  const accounts = new AccountDirectory();
  accounts.expected = expectIds(new Map([['@bo@remote.example', {id: '5', url}]]));
  expect(await accounts.idOf('@Bo@remote.example', client)).toBe('5');
  expect(asked).toHaveLength(1);
});

test('an account that nobody has is not found, with the search that shows similar ones', async () => {
  const {client} = await answeringServer(({line}) => (line.includes('direct/lookup') ? [] : undefined));
  const failure = await failureOf(new AccountDirectory().idOf('@bo', client));
  expect(failure).toMatchObject({code: 'not_found', message: `No account @bo on ${client.host}`});
  expect(failure.details.hint).toBe('search for it: `pixelctl dm lookup bo`');
});

test.each([{id: '.'}, {id: 'a b'}])('an account that is named by an id which no request can carry is no answer: %j', async ({id}) => {
  const {client} = await serverWith({[byName('bo')]: {id, username: 'bo', acct: 'bo'}});
  expect(await failureOf(new AccountDirectory().idOf('@bo', client))).toMatchObject({
    code: 'bad_answer',
    message: `${client.host}: the response does not name the account by a usable id`,
  });
});

test.each([
  ['https://names.example/ana', 'names.example'],
  ['no URL', undefined],
  [null, undefined],
])('the host of a server’s own accounts is that of %j', async (url, host) => {
  const {client} = await serverWith({[self]: {id: '1', username: 'ana', acct: 'ana', url}});
  expect(await hostOfAccounts(client)).toBe(host);
});

test('whoever a server names on another host is taken as its own account', async () => {
  const {client} = await serverWith({[self]: {id: 1, username: 'ana', acct: 'ana@other.example'}});
  expect(await whoAmI(client)).toEqual({id: '1', acct: 'ana'});
});

test.each([
  {id: '.', acct: 'ana'},
  {id: '1', acct: '@'},
  {id: '1', acct: ''},
])('an account of a token without a usable name is no answer: %j', async (said) => {
  const {client} = await serverWith({[self]: {...said, username: 'ana'}});
  expect(await failureOf(whoAmI(client))).toMatchObject({
    code: 'bad_answer',
    message: `${client.host}: the response does not name the account of the token`,
  });
});
