/** Domains that the server blocks for everyone, in Mastodon's words: on Pixelfed they are flags of the servers that it knows. */
import {createHash} from 'node:crypto';
import * as api from '../../api/admin-domain-blocks.js';
import {withMicroseconds} from '../account-payloads.js';
import type {Instance} from '../world.js';
import {collection} from '../collection.js';
import {abort, plainRefusal} from '../refusal.js';
import {textOf, type ReceivedFields} from '../received-request.js';
import {route, type Call, type Route} from '../route.js';
import {validate} from '../rules.js';

const maxPageSize = 100;
const severities = ['noop', 'silence', 'suspend'];

const comment = 'filled|string|min:1|max:1000';
const settings = {severity: `in:${severities.join()}`, private_comment: comment, public_comment: comment};

const severityOf = ({banned, unlisted}: Instance): string => (banned ? 'suspend' : unlisted ? 'silence' : 'noop');
const isModerated = ({banned, unlisted}: Instance): boolean => banned || unlisted;

/** @throws Refusal of a note that was typed on a web page of the server: this API expects a list */
function commentOf({notes}: Instance): string | null {
  if (typeof notes === 'string') throw plainRefusal(500, {error: 'join(): Argument #2 ($array) must be of type ?array, string given'});
  return notes && notes.join('; ');
}

function entryOf(instance: Instance): Readonly<Record<string, unknown>> {
  return {
    id: instance.id,
    domain: instance.domain,
    digest: createHash('sha256').update(instance.domain).digest('hex'),
    severity: severityOf(instance),
    created_at: withMicroseconds(instance.updatedAt),
    reject_media: false,
    reject_reports: false,
    private_comment: commentOf(instance),
    public_comment: null,
    obfuscate: false,
  };
}

/** Servers drop other settings, and overwrite these even where they are not sent. */
function moderate(instance: Instance, fields: ReceivedFields): void {
  const severity = textOf(fields['severity']) ?? 'silence';
  Object.assign(instance, {
    banned: severity === 'suspend',
    unlisted: severity === 'silence',
    notes: [textOf(fields['private_comment'])],
    updatedAt: new Date(),
  });
}

/** The domain as it was sent, without `*.` at its beginning. @throws Refusal of what servers do not store */
function storedDomain(fields: ReceivedFields): string {
  const sent = textOf(fields['domain']) ?? '';
  const domain = sent.replace(/^\*\./, '');
  if (domain.includes('.') && !domain.includes('*')) return domain;
  throw abort(400, domain === sent ? 'Invalid domain' : 'Invalid domain: This API does not support wildcard domain blocks yet');
}

function moderatedOne({world, part}: Call): Instance {
  const instance = world.instances.get(Number(part('id')));
  if (instance && isModerated(instance)) return instance;
  throw plainRefusal(404, {error: 'Record not found'});
}

export const routes: readonly Route[] = [
  collection(
    api.listAdminDomainBlocks,
    {
      rules: {limit: `integer|min:1|max:${maxPageSize}`},
      rows: ({world}) => world.allInstances().filter(isModerated),
      show: entryOf,
      position: ({id}) => ({id}),
      ascends: true,
    },
    {usual: maxPageSize, most: maxPageSize, isReversed: true},
  ),

  route(api.getAdminDomainBlock, (call) => ({body: entryOf(moderatedOne(call))})),

  route(api.addAdminDomainBlock, ({world, fields}) => {
    validate(fields, {domain: 'required|string|min:1|max:120', ...settings});
    const domain = storedDomain(fields);
    const known = world.allInstances().find((one) => one.domain === domain);
    if (known && isModerated(known))
      throw plainRefusal(422, {error: 'A domain block already exists for this domain', existing_domain_block: entryOf(known)});
    const instance = known ?? world.addInstance({domain});
    moderate(instance, fields);
    return {body: entryOf(instance)};
  }),

  route(api.updateAdminDomainBlock, (call) => {
    const instance = moderatedOne(call);
    validate(call.fields, settings);
    moderate(instance, call.fields);
    return {body: entryOf(instance)};
  }),

  // The notes stay, and if the domain is blocked again, the block has the same id.
  route(api.removeAdminDomainBlock, (call) => {
    Object.assign(moderatedOne(call), {banned: false, unlisted: false, updatedAt: new Date()});
    return {body: {}};
  }),
];
