/** The `contains` commands, which check whether something is in a list of the account. */
import {Args} from '@oclif/core';
import {kindOfItems, type Endpoint} from '../../api/endpoint.js';
import type {ListView} from '../../api/view.js';
import {Failure} from '../../client/failure.js';
import {someOf} from './titles.js';
import {readAccounts, type ReadAccount} from '../account-driver.js';
import type {Connection} from '../connection.js';
import type {CommandSpec} from './spec.js';
import {accountsFlags, joinFlags, targetFlags} from '../flags.js';
import {collectTargets, prepareTargets, refuseOtherAccounts, type Target} from './targets.js';
import {command, type CommandClass} from '../command.js';

export const containedView: ListView = {
  kind: 'list',
  columns: [
    {header: 'target', path: 'target', key: true},
    {header: 'contained', path: 'contained', stays: true},
  ],
  fields: ['target', 'contained'],
  empty: 'No targets.',
};

interface Containing extends Pick<CommandSpec<Endpoint>, 'description' | 'examples' | 'summary'> {
  readonly list: Endpoint;
  /** The argument, as help shows it. */
  readonly label: string;
  readonly about: string;
  /** The form in which a target is compared. @throws Failure `usage` for a target that cannot be in the list */
  readonly nameOf: (text: string, isListed: boolean) => string;
  readonly contents: (items: readonly unknown[], host: string) => (name: string) => boolean;
  /** What a target in the list is, for messages: `blocked`. */
  readonly state: string;
}

/** Makes the `contains` command of a list. All pages are read once, however many targets there are. */
export function containsCommand({list, label, nameOf, contents, state, ...words}: Containing): CommandClass {
  const {from, column, 'skip-invalid': skipInvalid} = targetFlags;
  const args = {[label]: Args.string({name: label, description: words.about, multiple: true, required: false})};
  return command({
    summary: words.summary,
    findsDrift: true,
    description: `${words.description}

The exit status is 0 if all are in the list, and 10 if not. With --json: {"target", "contained"} for one, an array of these for several.

Calls GET ${list.path}, every page once. It needs a token${list.scope === null ? '; no scope is documented for it' : ` with the scope ${list.scope}`}.`,
    usage: `${label}...`,
    args,
    flags: joinFlags({from, column, 'skip-invalid': skipInvalid}, accountsFlags),
    examples: words.examples,
    view: containedView,
    async run({args: given, flags, session, opened, stop}) {
      const collected = await collectTargets(given[label] ?? [], {kind: kindOfItems(list)}, {flags, session});
      if (collected.targets.length === 0 && given[label] === undefined && flags.from === undefined) {
        throw new Failure('usage', `Missing: ${label}`, {hint: session.io.pipeHint(label)});
      }
      const prepare = ({value, place}: Target) => ({target: value, name: nameOf(value, place !== undefined)});
      const targets = prepareTargets(collected, {flags, session}, prepare, ({name}) => name.toLowerCase());
      const read: ReadAccount = async (connection) => {
        const {everyItem} = await import('../../client/paging.js');
        const {client} = connection;
        const has = contents(targets.length === 0 ? [] : await everyItem(client, list), client.host);
        const results = targets.map(({target, name}) => ({target, contained: has(name)}));
        const missing = results.filter(({contained}) => !contained).map(({target}) => target);
        return {
          document: (collected.isSingle ? results[0] : undefined) ?? results,
          at: [],
          tableRows: results,
          failure: missing.length === 0 ? undefined : new Failure('drift', `Not ${state}: ${someOf(missing)}`),
        };
      };
      const check = (connection: Connection) => refuseOtherAccounts(collected.targets, connection);
      return readAccounts({flags, session, opened, stop}, read, {view: containedView}, check);
    },
  });
}
