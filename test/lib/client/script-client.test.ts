/** What `createClient` of `pixelctl/client` refuses. */
import nock from 'nock';
import {describe, expect, onTestFinished, test} from 'vitest';
import {listBlocks} from '../../../src/lib/api/blocks.js';
import {getConfiguration} from '../../../src/lib/api/config.js';
import {createClient, Failure, type ClientOptions} from '../../../src/lib/operations/index.js';
import {server} from '../../run-command.js';

const plain = 'http://192.0.2.2:4000';
const secret = 'token-of-the-test';

function clientWith(options: Partial<ClientOptions> & {readonly allowHttp?: boolean}) {
  const client = createClient({server: new URL(server), token: async () => secret, retries: 0, ...options});
  onTestFinished(() => client.close());
  return client;
}

/** What `createClient` throws for options as a script in JavaScript may give them. */
function refusal(options: object): unknown {
  try {
    Reflect.apply(createClient, undefined, [options]);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('plain http', () => {
  test('plain http to another machine is refused before a token is sent', async () => {
    await expect(clientWith({server: new URL(plain)}).call(listBlocks, {})).rejects.toMatchObject({
      code: 'usage',
      message: 'server is plain http: others on the network could read the token sent to 192.0.2.2:4000',
      details: {hint: 'use https://192.0.2.2:4000, or pass allowHttp: true to send it anyway'},
    });
  });

  test('plain http to another machine is used with allowHttp', async () => {
    const asked = nock(plain, {reqheaders: {authorization: `Bearer ${secret}`}});
    asked.get('/api/v1/blocks').reply(200, []);
    expect((await clientWith({server: new URL(plain), allowHttp: true}).call(listBlocks, {})).value).toEqual([]);
  });

  test('plain http to this machine is used', async () => {
    nock('http://localhost:4000').get('/api/v1/blocks').reply(200, []);
    expect((await clientWith({server: new URL('http://localhost:4000')}).call(listBlocks, {})).value).toEqual([]);
  });

  test.each([42, null, {}, true, ['token']])('plain http with a token function that returns %j fails', async (value) => {
    const token = async () => value;
    const client = Reflect.apply(createClient, undefined, [{server: new URL(server), token, retries: 0}]);
    await expect(client.call(listBlocks, {})).rejects.toMatchObject({name: 'Failure', code: 'usage', message: 'token returned no string'});
  });

  test.each([undefined, async () => undefined, async () => ''])('plain http without a token is not refused: %s', async (token) => {
    const client = clientWith({server: new URL(plain), token});
    await expect(client.call(listBlocks, {})).rejects.toMatchObject({code: 'auth', message: 'No access token for 192.0.2.2:4000'});
  });
});

describe('createClient', () => {
  test.each([
    [{}, 'server is not a URL'],
    [{server: server}, 'server is not a URL'],
    [{server: null}, 'server is not a URL'],
    [{server: new URL('ftp://pix.example')}, 'server must begin with https://, not ftp://'],
    [{server: new URL('https://ana:secret@pix.example')}, 'server must not contain a user name or password'],
    [{server: new URL(server), token: secret}, 'token is not a function'],
    [{server: new URL(server), token: null}, 'token is not a function'],
  ])('refuses %j: %s', (options, message) => {
    const error = refusal(options);
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({code: 'usage', message});
    expect(JSON.stringify(error)).not.toContain(secret);
  });

  test.each(['first\nsecond', 'first\n', '\rfirst', 'fir\0st', 'first second', 'für'])(
    'refuses the token %j and does not print it',
    async (token) => {
      const error: unknown = await clientWith({token: async () => token})
        .call(listBlocks, {})
        .catch((error: unknown) => error);
      expect(error).toMatchObject({code: 'usage', message: 'The token is not an access token'});
      expect(`${String(error)}${JSON.stringify(error)}`).not.toContain(token.trim());
    },
  );

  test('asks for no token where none is sent, over plain http as well', async () => {
    nock(plain).get(getConfiguration.path).reply(200, {});
    let calls = 0;
    const token = async () => String((calls += 1));
    await clientWith({server: new URL(plain), token}).call(getConfiguration, {});
    expect(calls).toBe(0);
  });
});
