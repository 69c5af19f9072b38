/** Domains that the server blocks for everyone, in Mastodon's words: on Pixelfed they are flags of the servers that it knows. */
import {createHash} from 'node:crypto';
import * as api from '../../api/admin-domain-blocks.js';
import {collection} from '../collection.js';
import {withMicroseconds, type Payload} from '../payloads.js';
import {abort, plainRefusal} from '../refusal.js';
import type {Call} from '../route.js';
import type {Instance} from '../world.js';

const pageSize = 100;
const comments = {private_comment: ['max:1000'], public_comment: ['max:1000']};

const isModerated = ({banned, unlisted}: Instance): boolean => banned || unlisted;

/** @throws Refusal of a note that was typed on a web page of the server: this API expects a list */
function commentOf({notes}: Instance): string | null {
  if (typeof notes === 'string') throw plainRefusal(500, {error: 'join(): Argument #2 ($array) must be of type ?array, string given'});
  return notes && notes.join('; ');
}

const entryOf = (instance: Instance): Payload => ({
  id: instance.id,
  domain: instance.domain,
  digest: createHash('sha256').update(instance.domain).digest('hex'),
  severity: instance.banned ? 'suspend' : instance.unlisted ? 'silence' : 'noop',
  created_at: withMicroseconds(instance.updatedAt),
  reject_media: false,
  reject_reports: false,
  private_comment: commentOf(instance),
  public_comment: null,
  obfuscate: false,
});

/** Servers drop other settings, and overwrite these even where they are not sent. */
function moderate(instance: Instance, {text}: Call): void {
  const severity = text('severity') || 'silence';
  const notes = [text('private_comment') || null];
  Object.assign(instance, {banned: severity === 'suspend', unlisted: severity === 'silence', notes, updatedAt: new Date()});
}

/** Adds the domain as it was sent, without `*.` at its beginning. @throws Refusal of what servers do not store, or block already */
function add(call: Call): Instance {
  const {world} = call;
  const sent = call.text('domain');
  const domain = sent.replace(/^\*\./, '');
  if (!domain.includes('.') || domain.includes('*'))
    throw abort(400, domain === sent ? 'Invalid domain' : 'Invalid domain: This API does not support wildcard domain blocks yet');
  const known = world.instances.list().find((one) => one.domain === domain);
  if (known && isModerated(known))
    throw plainRefusal(422, {error: 'A domain block already exists for this domain', existing_domain_block: entryOf(known)});
  const instance = known ?? world.addInstance({domain});
  moderate(instance, call);
  return instance;
}

export const routes = collection(
  {
    list: api.listAdminDomainBlocks,
    get: api.getAdminDomainBlock,
    add: api.addAdminDomainBlock,
    update: api.updateAdminDomainBlock,
    remove: api.removeAdminDomainBlock,
  },
  {
    rows: ({world}) => world.instances.list().filter(isModerated),
    show: entryOf,
    find({world, part}) {
      const instance = world.instances.get(Number(part('id')));
      if (instance && isModerated(instance)) return instance;
      throw plainRefusal(404, {error: 'Record not found'});
    },
    add,
    update: moderate,
    // The notes stay, and if the domain is blocked again, the block has the same id.
    remove: (instance) => Object.assign(instance, {banned: false, unlisted: false, updatedAt: new Date()}),
  },
  {
    pages: {usual: pageSize, most: pageSize, position: ({id}) => ({id}), ascends: true, isReversed: true},
    list: {rules: {limit: [`max:${pageSize}`]}},
    // A severity is not required.
    add: {onlyRules: {domain: ['required', 'max:120'], severity: ['in:noop,silence,suspend'], ...comments}},
    update: {rules: comments},
  },
);
