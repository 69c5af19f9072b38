/** The curl lines of a dry run, run by a shell, send what the program itself sends. */
import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder, runShell} from './program.js';
import {serverThat, type Received} from './server.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** What a server makes of a request: of a form, its parts, whatever the boundary. */
function understood({method, target, headers, body}: Received) {
  const {accept, authorization, 'content-type': type = '', 'x-pixelfed-app': app} = headers;
  const boundary = /boundary=(?:"?)([^";]+)/.exec(type)?.[1];
  const parts = boundary === undefined ? undefined : body.toString('latin1').split(`--${boundary}`).slice(1, -1).map(part);
  const json = type === 'application/json' ? JSON.parse(body.toString()) : undefined;
  return {method, target, accept, authorization, app, type: type.split(';')[0], parts, json};
}

/** Names of headers have no case, and their order says nothing. */
function part(text: string) {
  const end = text.indexOf('\r\n\r\n');
  const headers = text
    .slice(2, end)
    .split('\r\n')
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()));
  return {headers: headers.toSorted(), body: text.slice(end + 4, -2)};
}

describe.runIf(hasCurl)('the curl command of', () => {
  test.concurrent.each([
    ['a body', ['filters', 'create', '--title', `it's "$HOME" \`x\` \\ é\n!`, '--context', 'home', '--keyword', '@a', '--keyword', '%41']],
    ['no body', ['dm', 'accept', 'a/b?c']],
    ['a query with lists', ['api', 'POST', '/api/v1/x?y=[1-3]', '--field', 'types[]={a,b}', '--field', '-d=@secret']],
    ['a form', ['thread', 'send-media', '5', `odd "name", a;b'.JPG`, '--message', '@secret;type=text/html'], ['--no-limits']],
    ['a form with a file of any kind', ['api', 'POST', '/api/v2/media', '--file', 'file=@secret', '--field', 'description=<secret']],
    ['a header', ['api', 'DELETE', '/api/v1/x', '--header', "x-own: it's $HOME"]],
  ])('%s', async (_, words, more: readonly string[] = []) => {
    await using server = await serverThat(() => ({status: 400, text: '{"error": "No"}'}));
    const folder = newFolder();
    writeFileSync(join(folder, `odd "name", a;b'.JPG`), Buffer.from([0xff, 0xd8, 0xff, 0x00]));
    writeFileSync(join(folder, 'secret'), 'what nobody meant to send');
    const around = {env: server.env, folder};
    const {stdout, stderr, status} = await run([...words, '--dry-run', '-o', 'curl'], around);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(stdout).not.toContain(server.env['PIXELCTL_TOKEN']);
    await runShell(stdout.replaceAll('curl --request', 'curl --silent --request'), around);
    await run([...words, ...more], around);
    const [byCurl, byProgram] = server.exchanges.map(({received}) => understood(received));
    expect(server.exchanges).toHaveLength(2);
    expect(byCurl).toEqual(byProgram);
  });
});
