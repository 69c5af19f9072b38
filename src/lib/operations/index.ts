/**
 * The typed client, for scripts: `import {blockDomain, createClient} from 'pixelctl/client'`. One function for each thing that a
 * person means, with what real servers require; for other requests use `call` with a record.
 */
import {addBlock, addMute, removeBlock, removeMute} from '../api/blocks.js';
import {
  acceptConversation,
  hideConversation,
  leaveConversation,
  muteConversation,
  unhideConversation,
  unmuteConversation,
} from '../api/direct.js';
import {createFilter} from '../api/filters.js';
import type {Endpoint, Output, PlainInput} from '../api/endpoint.js';
import {hasShapeOf, type Answer} from '../client/answer.js';
import type {TypedClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {AccountDirectory} from './accounts.js';
import {domainBlock, domainUnblock} from './domains.js';
import {expiresIn, filterUpdate, keywordEntries, type FilterEnd, type KeywordChanges} from './filters.js';
import {accountName, conversationName} from './account-name.js';
import {askLimits, type PublishedLimits} from './limits.js';
import {messageSending} from './messages.js';
import {convertInput, perform, refuseOverLimit, resolveInput, type Operation, type Via} from './operation.js';

export * from '../client/index.js';
export type {FilterEnd, KeywordChange, KeywordChanges} from './filters.js';

interface Known extends Via {
  readonly limits: () => Promise<PublishedLimits>;
}

const known = new WeakMap<TypedClient, Known>();

/** Accounts and limits are cached for the lifetime of the client. */
function viaFor(client: TypedClient): Known {
  const found = known.get(client);
  if (found !== undefined) return found;
  const accounts = new AccountDirectory();
  let limits: Promise<PublishedLimits> | undefined;
  // Limits that cannot be read are not checked.
  const via = {client, accounts: async () => accounts, limits: () => (limits ??= askLimits(client).catch(() => ({})))};
  known.set(client, via);
  return via;
}

async function act<E extends Endpoint>(client: TypedClient, operation: Operation<E>, input: PlainInput): Promise<Answer<Output<E>>> {
  const via = viaFor(client);
  const meant = convertInput(operation, input);
  await refuseOverLimit(operation, meant, via.limits);
  const answer = await perform(operation, await resolveInput(operation, meant, via), via);
  if (hasShapeOf<ReturnType<E['output']>>(answer)) return answer;
  throw new Failure('internal', `The response to ${operation.name} was not checked`);
}

/**
 * The id of an account.
 * @param account an id, `@user`, `@user@host`, or a profile URL
 * @throws Failure `usage` for an invalid name, `not_found` when no account has exactly that handle
 */
export async function findAccount(client: TypedClient, account: string): Promise<string> {
  return (await viaFor(client).accounts()).idOf(accountName(account), client);
}

/**
 * The id of the conversation with an account; an id is returned as it is. No conversation is started.
 * @throws Failure `not_found` when there is no such account, or no conversation with it
 */
export async function findConversation(client: TypedClient, accountOrId: string): Promise<string> {
  return (await viaFor(client).accounts()).conversationOf(conversationName(accountOrId), client);
}

/**
 * Blocks a domain. Your followers there are removed permanently.
 * @param domain in any form: with or without a scheme, in Unicode or punycode
 * @throws Failure
 */
export const blockDomain = (client: TypedClient, domain: string) => act(client, domainBlock, {body: {domain}});

/** Unblocks a domain. Succeeds also when it was not blocked. @throws Failure */
export const unblockDomain = (client: TypedClient, domain: string) => act(client, domainUnblock, {body: {domain}});

/** Blocks an account, by its id or handle. You stop following each other permanently. @throws Failure */
export const blockAccount = (client: TypedClient, account: string) => act(client, addBlock, {path: {id: account}});

/** Unblocks an account, by its id or handle. @throws Failure */
export const unblockAccount = (client: TypedClient, account: string) => act(client, removeBlock, {path: {id: account}});

/** Mutes an account, by its id or handle. @throws Failure */
export const muteAccount = (client: TypedClient, account: string) => act(client, addMute, {path: {id: account}});

/** Unmutes an account, by its id or handle. @throws Failure */
export const unmuteAccount = (client: TypedClient, account: string) => act(client, removeMute, {path: {id: account}});

interface FilterSettings {
  readonly title: string;
  /** `home`, `public`, `tags`. */
  readonly context: string[];
  /** `warn`, `hide`, `blur`. */
  readonly action?: string;
  /** Seconds from now, a time, or never. */
  readonly ends?: FilterEnd;
}

function settingsIn({title, context, action, ends}: Partial<FilterSettings>, of: 'existing filter' | 'new filter') {
  return {
    ...(title !== undefined && {title}),
    ...(context !== undefined && {context}),
    ...(action !== undefined && {filter_action: action}),
    ...expiresIn(ends, of),
  };
}

/**
 * Creates a filter with its keywords, which match whole words unless they say otherwise.
 * @throws Failure; with the fate `unknown` when no response came: sending it again may create a second filter
 */
export function addFilter(client: TypedClient, {keywords, ...settings}: FilterSettings & {readonly keywords: KeywordChanges['add']}) {
  const {title, context} = settings;
  const added = (keywords ?? []).map(({keyword, whole_word = true}) => ({keyword, whole_word}));
  return act(client, createFilter, {body: {...settingsIn(settings, 'new filter'), title, context, keywords_attributes: added}});
}

/** Changes a filter. Settings that are not given keep their values. @throws Failure */
export function changeFilter(
  client: TypedClient,
  id: string,
  {keywords = {}, ...settings}: Partial<FilterSettings> & {readonly keywords?: KeywordChanges},
) {
  return act(client, filterUpdate, {path: {id}, body: {...settingsIn(settings, 'existing filter'), ...keywordEntries(keywords)}});
}

interface NewMessage {
  readonly message?: string;
  /** Paths of images and videos to upload and attach. */
  readonly media?: readonly string[];
  /** Ids of media that are already uploaded. */
  readonly media_ids?: string[];
  readonly in_reply_to_id?: string;
  readonly sensitive?: boolean;
}

/**
 * Sends a message to a conversation, by its id or the account that it is with. Files are uploaded first.
 * @throws Failure; `usage` for a message over a limit that the server publishes; with the fate `unknown` when no response came
 */
export const writeMessage = (client: TypedClient, conversation: string, message: NewMessage) =>
  act(client, messageSending, {path: {id: conversation}, body: {...message}});

const steps = {
  accept: acceptConversation,
  mute: muteConversation,
  unmute: unmuteConversation,
  hide: hideConversation,
  unhide: unhideConversation,
  leave: leaveConversation,
};

/** Accepts a message request, or mutes, hides or leaves a conversation, by its id or the account that it is with. @throws Failure */
export const moveConversation = (client: TypedClient, conversation: string, step: keyof typeof steps) =>
  act(client, steps[step], {path: {id: conversation}});
