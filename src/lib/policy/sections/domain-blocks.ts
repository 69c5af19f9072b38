/** Servers that the account blocks. */
import * as z from 'zod/mini';
import {byDomain, domainsSection, withoutTopLevel} from './domains.js';
import {accountDomainsSchema} from './domains-schema.js';
import {noFollows, warnOfAdditions, namesKind} from './names.js';
import {listDomainBlocks} from '../../api/blocks.js';
import {field} from '../../api/schema.js';
import {commandText} from '../../files/command-text.js';
import {domainBlock, domainUnblock} from '../../operations/domains.js';
import {convertInput} from '../../operations/operation.js';
import type {Circumstances, Desired, Kind} from '../model/kind.js';
import {blocked, factsText, publicFacts} from '../model/domain-facts.js';
import {itemsOnServer, checkAnswerShape} from '../section/answers.js';
import {withFollowed} from './followed-domains.js';

const key = 'domain_blocks';

/** Pixelfed keeps only the domain: the rest is shown, and written into lists for other tools. */
const kind: Kind = {
  ...namesKind,
  kind: 'domain_block',
  owner: 'account',
  words: {
    item: 'domain block',
    counted: ['domain block', 'domain blocks'],
    title: 'Domain blocks',
    all: 'the domain blocks',
    done: 'blocked',
  },
  reads: listDomainBlocks,
  operations: {add: domainBlock, remove: domainUnblock},
  limitAdvice: `set ${key}.limit in the policy`,
  async read(client, _, seen) {
    const items = await itemsOnServer(client, listDomainBlocks, seen);
    const domains = checkAnswerShape(z.array(z.string()), items, client.host, listDomainBlocks.path);
    return {items: byDomain(domains.map((raw) => [raw, {value: true, raw}]))};
  },
  async narrow(desired, actual, circumstances) {
    const followed = await withFollowed(kind, desired, actual, circumstances);
    const possible = withoutTopLevel(kind, followed, actual, circumstances.host);
    return withoutOwnServer(possible, circumstances);
  },
  text: () => 'blocked',
  details({facts, action}, showsPrivate) {
    if (facts === undefined || action !== 'add') return '';
    // What only servers do for everybody is not sent.
    const said = {...(showsPrivate ? facts : publicFacts(facts)), reject_media: undefined, reject_reports: undefined};
    return factsText(said);
  },
  input: ({action, name, raw}) =>
    action === 'remove' ? {body: {domain: typeof raw === 'string' ? raw : name}} : convertInput(domainBlock, {body: {domain: name}}),
  command: ({action, name}, account) => commandText(`domain-blocks ${action}`, {args: [name], flags: account}),
  lost: ({action}) => (action === 'remove' ? noFollows : undefined),
  warning: warnOfAdditions('Followers on blocked domains are removed permanently.'),
};

function withoutOwnServer(desired: Desired, {host}: Circumstances): Desired {
  const name = host.replace(/:\d+$/, '');
  const {hold} = desired;
  if (!desired.want.has(name)) return desired;
  return {
    ...desired,
    hold: (domain, want, has) =>
      domain === name ? {says: `a server does not block itself (${want.why.where})`, why: want.why} : hold?.(domain, want, has),
  };
}

export const domainBlocks = domainsSection({
  key,
  kind,
  sentences: {protect_followed: 'Domains of accounts that follow this one or are followed by it are not blocked.'},
  schema: () => field(accountDomainsSchema(), 'servers that the account blocks'),
  withRules: (rules) => rules,
  factsOf: () => blocked,
  written: (domain) => domain,
});
