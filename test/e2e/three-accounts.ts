/** Three accounts on two servers, with a profile each. */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {demo} from '../../src/lib/sandbox/demo.js';
import type {World} from '../../src/lib/sandbox/world.js';
import type {SandboxOptions} from '../sandbox/start.js';
import {watchedSandbox} from './policy-server.js';
import {newFolder} from './program.js';
import type {Clock} from '../../src/lib/client/retry.js';
import {machineWith, profileOn} from './signing-in.js';

/** The demo, where ana and bob are admins. */
function demoWithAdmins(world: World) {
  const me = demo(world);
  for (const account of world.accounts.values()) if (['ana', 'bob'].includes(account.username)) Object.assign(account, {is_admin: true});
  return me;
}

/** Two servers: ana and bob on the first one, clara on the second one; a profile for each. */
export async function threeAccounts({areAdmins = false, ...options}: SandboxOptions & {readonly areAdmins?: boolean} = {}) {
  const one = await watchedSandbox({...(areAdmins && {seed: demoWithAdmins}), ...options});
  const two = await watchedSandbox({seed: {accounts: [{acct: 'clara', admin: areAdmins}]}});
  const kind = areAdmins ? 'admins' : 'users';
  const tokenOf = (name: string) => ({accessToken: {...one.tokens[kind], ...two.tokens[kind]}[name] ?? ''});
  const account = (acct: string) => ({id: acct, acct});
  const machine = await machineWith(
    [profileOn(one.url, {name: 'ana', account: account('ana'), isAdmin: areAdmins}), tokenOf('ana')],
    [profileOn(one.url, {name: 'bob', account: account('bob'), isAdmin: areAdmins}), tokenOf('bob')],
    [profileOn(two.url, {name: 'clara', account: account('clara'), isAdmin: areAdmins}), tokenOf('clara')],
  );
  const folder = newFolder();
  const hosts = [one, two].map(({url}) => new URL(url).host);
  return {
    one,
    two,
    machine,
    folder,
    ana: `ana@${hosts[0]}`,
    bob: `bob@${hosts[0]}`,
    clara: `clara@${hosts[1]}`,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    /** The state files in the folder. */
    states: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.state.ndjson'))
        .sort(),
    /** The domains that an account blocks. */
    blocked: async (name: string): Promise<string[]> =>
      JSON.parse((await machine.run(['domain-blocks', 'list', '--all', '--json', '-p', name])).stdout).sort(),
    start: (args: readonly string[]) => machine.start(args, {folder}),
    run: (args: readonly string[], env: Readonly<Record<string, string>> = {}, clock?: Clock) =>
      machine.run(args, {folder, env, ...(clock && {clock})}),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
    },
  };
}
