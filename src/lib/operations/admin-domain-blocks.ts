/** Blocks domains for a whole server. Pixelfed and Mastodon treat the same requests differently. */
import {commandText} from '../files/command-text.js';
import {
  addAdminDomainBlock,
  getAdminDomainBlock,
  listAdminDomainBlocks,
  removeAdminDomainBlock,
  updateAdminDomainBlock,
} from '../api/admin-domain-blocks.js';
import {notesOf, typedNoteOf} from '../api/admin-entities.js';
import {flagsOfBlock, isDropped, settingsOfBlock, settingsUnlike, type SettingOfBlock} from '../api/server-block.js';
import type {PlainInput} from '../api/endpoint.js';
import {membersOf, oncePer, type Members} from '../api/schema.js';
import {answerFrom, type Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure, nothingDone} from '../client/failure.js';
import {everyItem} from '../client/paging.js';
import {onlyShown, placeholder, requestFor, usableIdAt, type ExpectedAbout, type Request} from '../client/request.js';
import {textAt} from '../json/path.js';
import {shorten} from '../json/text.js';
import {blockableOf, idOrBlockable, normalizeStoredDomain, isOwnDomain, ownServerRefused} from './domains.js';
import {unreadable} from './found-target.js';
import {findInstance} from './instances.js';
import {isId} from './handle.js';
import {operation, requestsFor} from './operation.js';
import {refuseOtherSeverities} from './domain-targets.js';
import {ownHosts, serverSoftware} from './server-release.js';
import {blockOf, isBlocked, isOfTypedNote, rememberNotes, typedNoteRead} from './typed-notes.js';

function withWarnings(answer: Answer, asked: PlainInput['body'], {host}: Client, ...more: readonly (string | undefined)[]): Answer {
  // A setting that the answer lacks may have been stored all the same.
  const unkept = settingsUnlike(answer.value, asked).filter((name) => name in membersOf(answer.value));
  const warnings = [
    ...more.filter((warning) => warning !== undefined),
    ...(unkept.length === 0 ? [] : [`${host} did not keep ${unkept.join(', ')} as asked`]),
  ];
  return warnings.length === 0 ? answer : {...answer, warnings};
}

type BlockIds = Map<string, string>;

/** The ids of all blocks by their domains, read once for each client. */
const blockIds = oncePer(async (client: Client): Promise<BlockIds> => idsByDomain(await everyItem(client, listAdminDomainBlocks)));

/** Servers may store one domain in several forms. The block of the normalized form is preferred. */
function idsByDomain(items: readonly unknown[]): BlockIds {
  const ids = new Map<string, string>();
  for (const item of items) {
    const [domain, id] = [textAt(item, ['domain']), usableIdAt(item, ['id'])];
    if (domain === undefined || id === undefined) continue;
    const host = normalizeStoredDomain(domain);
    if (host === domain || !ids.has(host)) ids.set(host, id);
  }
  return ids;
}

/** @throws Failure `not_found` for a domain that is not blocked */
async function blockId(named: unknown, client: Client): Promise<string> {
  const name = String(named);
  const id = isId(name) ? name : (await blockIds(client)).get(name);
  if (id !== undefined) return id;
  throw new Failure('not_found', `${client.host}: ${name} is not blocked`, {
    // The whole list was read.
    gone: true,
    hint: `\`${commandText('admin domain-blocks list', {flags: {all: true}})}\` lists what is blocked`,
  });
}

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** A setting of a block in the form in which it can be sent again: a missing comment is an empty text. */
function standing(entry: Members, name: SettingOfBlock, client: Client): unknown {
  const value = entry[name] === null ? '' : entry[name];
  // A setting that a server does not have is not sent; without a severity, servers would choose one.
  if (value === undefined && name !== 'severity') return undefined;
  const isKept = typeof value === (flagsOfBlock.has(name) ? 'boolean' : 'string') && !(name === 'severity' && isEmpty(value));
  if (isKept) return value;
  throw unreadable(client, listAdminDomainBlocks.path, `the block has no ${name} that can be sent again`);
}

/** The most characters of a comment on Pixelfed, which refuses a longer one. */
export const maxPixelfedComment = 1000;

/** In a dry run, a domain stands for the id that only the server knows. */
function withPlaceholder({path, ...input}: PlainInput): PlainInput {
  const name = String(path?.['id']);
  return {...input, path: {id: isId(name) ? name : placeholder(name)}};
}

const aboutDomain = (domain: string | undefined): readonly ExpectedAbout[] =>
  domain === undefined ? [] : [{at: ['domain'], is: domain, form: normalizeStoredDomain}];

const blockRequest = (id: string, domain: string | undefined): Request =>
  requestFor(getAdminDomainBlock, {path: {id}}, aboutDomain(domain));

const getBlock = (id: string, domain: string | undefined, client: Client): Promise<Answer> =>
  client.send(blockRequest(id, domain), getAdminDomainBlock.output());

/** The domain that an input names: as its target, or beside the id under which it was listed. */
function domainIn({path}: PlainInput): string | undefined {
  const name = String(path?.['domain'] ?? path?.['id']);
  return isId(name) ? undefined : name;
}

export const adminDomainBlock = operation(getAdminDomainBlock, {
  takesTopLevel: true,
  convert: {id: idOrBlockable},
  send: async (input, client) =>
    client.send(onlyShown(blockRequest(await blockId(input.path?.['id'], client), domainIn(input))), getAdminDomainBlock.output()),
});

interface Notes {
  readonly notes?: string | undefined;
  readonly warning?: string | undefined;
}

/** A warning with the text of a note that the server no longer has. */
const goneNote = (what: string, note: string): string => `${what}; it was: ${note}`;

/** A note as a comment. A long note is cut, because comments are limited. */
function asComment(note: string): Notes {
  if (note.length <= maxPixelfedComment) return {notes: note};
  const warning = goneNote(`the note was cut to the ${maxPixelfedComment} characters that a comment may have`, note);
  return {notes: shorten(note, maxPixelfedComment - 1), warning};
}

/** The notes on exactly this host, if the server is a Pixelfed, which overwrites them with every block. */
async function notesToKeep(host: string, client: Client): Promise<Notes> {
  try {
    if ((await serverSoftware(client)) !== 'pixelfed') return {};
    const found = await findInstance(host, client);
    return found ? asComment(notesOf(found.value)) : {};
  } catch (error) {
    const {message} = asFailure(error);
    return {warning: `the notes of servers could not be read, and blocking may have erased some: ${message}`};
  }
}

/** The failure to block a domain that is blocked already, with other settings. */
function standsOtherwise({details}: Failure, entry: Members, asked: Members, unlike: readonly SettingOfBlock[]): Failure {
  const domain = String(asked['domain']);
  const others = unlike.filter((name) => name !== 'severity');
  const differs = others.length === 0 ? '' : `; what differs: ${others.join(', ')}`;
  const values = unlike.map(
    (name) => [name.replaceAll('_', '-'), flagsOfBlock.has(name) ? asked[name] === true : String(asked[name])] as const,
  );
  return new Failure('refused', `${domain} is blocked already, with the severity ${String(entry['severity'])}${differs}`, {
    ...details,
    hint: `\`${commandText('admin domain-blocks update', {args: [domain], flags: Object.fromEntries(values)})}\` changes it`,
  });
}

function explainCovered({details}: Failure, entry: Members, {domain}: Members): Failure {
  const [by, severity] = [String(entry['domain']), String(entry['severity'])];
  return new Failure('refused', `${String(domain)} is covered by the block of ${by}, with the severity ${severity}`, {
    ...details,
    reason: 'covered',
    heldBack: 'covered',
    hint: 'nothing to do, unless you want a stricter block',
  });
}

/** Pixelfed refuses empty comments, and empties those that are not sent; Mastodon leaves those as they are. */
async function withoutEmpty(body: Members, client: Client): Promise<Members> {
  if (!Object.values(body).some(isEmpty) || (await serverSoftware(client)) !== 'pixelfed') return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isEmpty(value)));
}

/**
 * Sends all settings: those that the input lacks are sent as they are on the server.
 * @param known the block, if it was read already
 */
async function sendUpdate(input: PlainInput, client: Client, known?: Answer): Promise<Answer> {
  const domain = known === undefined ? domainIn(input) : normalizeStoredDomain(membersOf(known.value)['domain']);
  return updateBlock({id: await blockId(input.path?.['id'], client), domain}, input.body, client, known);
}

interface BlockToChange {
  readonly id: string;
  readonly domain: string | undefined;
}

/** Changes a block. A note that an admin typed on a page of Pixelfed becomes its comment. */
async function updateBlock({id, domain}: BlockToChange, asked: PlainInput['body'], client: Client, known?: Answer): Promise<Answer> {
  const isWhole = settingsOfBlock.every((name) => asked?.[name] !== undefined);
  const entry = isWhole ? {} : membersOf((known ?? (await getBlock(id, domain, client))).value);
  const typed = typedNoteRead(id, client);
  const {notes, warning} = typed === undefined || asked?.['private_comment'] !== undefined ? {} : asComment(typed);
  const settings: Members = notes === undefined ? {...asked} : {...asked, private_comment: notes};
  const body = Object.fromEntries(settingsOfBlock.map((name) => [name, settings[name] ?? standing(entry, name, client)]));
  const request = requestFor(updateAdminDomainBlock, {path: {id}, body: await withoutEmpty(body, client)}, aboutDomain(domain));
  return withWarnings(await client.send(request, updateAdminDomainBlock.output()), asked, client, warning);
}

function sayingNote(answer: Answer, asked: PlainInput['body'], client: Client): Answer {
  const id = usableIdAt(answer.exact, ['id']);
  const typed = id === undefined ? undefined : typedNoteRead(id, client);
  const comment = asked?.['private_comment'];
  if (typed === undefined || typeof comment !== 'string' || comment.trim() === typed.trim()) return answer;
  const domain = String(membersOf(answer.value)['domain']);
  const warning = goneNote(`the comment on ${domain} replaced a note that was typed on the admin page of ${client.host}`, typed);
  return {...answer, warnings: [...(answer.warnings ?? []), warning]};
}

/** The answer to an addition that failed because of a typed note on a domain that is blocked already. @throws Failure the same one if the cause is another */
async function answerToTyped(failure: Failure, asked: Members, client: Client): Promise<Answer> {
  const found = await findInstance(String(asked['domain']), client);
  const instance = found?.value;
  if (found === undefined || typedNoteOf(instance) === undefined || !isBlocked(instance)) throw failure;
  // An addition overwrites the note: where it is still there, nothing was added.
  rememberNotes([instance], client);
  const block = blockOf(instance);
  const {stood} = await answerToExisting(failure.saying('', nothingDone), block, asked, client);
  return {
    ...(await updateBlock({id: found.id, domain: String(asked['domain'])}, {}, client, answerFrom(block))),
    ...(stood !== undefined && {stood}),
  };
}

/**
 * The answer to an addition that the server refused by showing a block. It is a success if the domain is blocked as asked.
 * @throws Failure for a domain that is blocked with other settings, or covered by another one
 */
async function answerToExisting(failure: Failure, found: unknown, asked: Members, client: Client): Promise<Answer> {
  const entry = membersOf(found);
  // A block without a domain or a severity explains nothing.
  if (typeof entry['domain'] !== 'string' || typeof entry['severity'] !== 'string') throw failure;
  if (normalizeStoredDomain(entry['domain']) !== asked['domain']) throw explainCovered(failure, entry, asked);
  // An entry with the severity `noop` blocks nothing, so that it is changed.
  if (entry['severity'] === 'noop' && asked['severity'] !== 'noop') {
    const id = usableIdAt(found, ['id']);
    if (id === undefined) throw unreadable(client, listAdminDomainBlocks.path, 'the block that the domain has already has no usable id');
    return updateBlock({id, domain: String(asked['domain'])}, asked, client);
  }
  const unkept = settingsUnlike(entry, asked);
  // Pixelfed drops some settings, so that the block of the same request before lacks them too.
  const drops = unkept.length > 0 && (await serverSoftware(client)) === 'pixelfed';
  const unlike = unkept.filter((name) => !(drops && isDropped(entry, name)));
  if (unlike.length > 0) throw standsOtherwise(failure, entry, asked, unlike);
  // If the fate is unknown, an earlier attempt of this write may have made the block.
  return {
    ...answerFrom(found, failure.details.status === undefined ? {} : {status: failure.details.status}),
    stood: failure.details.fate !== 'unknown',
  };
}

/** Blocks a domain, in lower-case punycode. Notes that the server would erase become the comment. A domain that is blocked as asked is a success. */
export const adminDomainBlockAddition = operation(addAdminDomainBlock, {
  blocksServers: () => true,
  takesTopLevel: true,
  convert: {domain: blockableOf},
  refuseList: (severities, {severity}) => refuseOtherSeverities(severities, severity),
  async send(input, client) {
    const asked = membersOf(input.body);
    const host = String(asked['domain']);
    const {notes, warning} = asked['private_comment'] === undefined ? await notesToKeep(host, client) : {};
    const body = {...asked, ...(notes ? {private_comment: notes} : {})};
    const request = requestFor(addAdminDomainBlock, {body: await withoutEmpty(body, client)}, aboutDomain(host));
    const answer = await client.send(request, addAdminDomainBlock.output()).catch((error: unknown) => {
      if (isOfTypedNote(error)) return answerToTyped(error, asked, client);
      if (!(error instanceof Failure) || error.details.found === undefined) throw error;
      return answerToExisting(error, error.details.found, asked, client);
    });
    return withWarnings(answer, asked, client, warning);
  },
});

/** Servers overwrite settings that are not sent, so that those without a new value are sent as they are. */
const change = {
  blocksServers: () => true,
  takesTopLevel: true as const,
  convert: {id: idOrBlockable},
  requests({body, ...input}: PlainInput) {
    const request = requestFor(updateAdminDomainBlock, {...withPlaceholder(input), body});
    const json = Object.fromEntries(settingsOfBlock.map((name) => [name, body?.[name] ?? `<${name} as it stands>`]));
    return [{...request, body: {json}}];
  },
};

/** Changes a block whose domain is known, because it was read before. */
export const standingBlockUpdate = operation(updateAdminDomainBlock, {...change, send: (input, client) => sendUpdate(input, client)});

/** Changes a block. Only the server says which domain an id stands for, so that it is read first. */
export const adminDomainBlockUpdate = operation(updateAdminDomainBlock, {
  ...change,
  async send(input, client) {
    const named = String(input.path?.['id']);
    if (!isId(named)) return sayingNote(await sendUpdate(input, client), input.body, client);
    const known = await getBlock(named, undefined, client);
    const domain = normalizeStoredDomain(membersOf(known.value)['domain']);
    if (isOwnDomain(domain, await ownHosts(client))) throw ownServerRefused(domain);
    return sayingNote(await sendUpdate(input, client, known), input.body, client);
  },
});

async function sendRemoval({path}: PlainInput, client: Client): Promise<Answer> {
  const request = requestFor(removeAdminDomainBlock, {path: {id: await blockId(path?.['id'], client)}});
  return client.send(request, removeAdminDomainBlock.output());
}

export const adminDomainBlockRemoval = operation(removeAdminDomainBlock, {
  takesTopLevel: true,
  convert: {id: idOrBlockable},
  requests: (input) => [requestFor(removeAdminDomainBlock, withPlaceholder(input))],
  send: sendRemoval,
});

const hasSettings = ({body = {}}: PlainInput): boolean => Object.keys(body).length > 0;

/** Ends a block. If the input has settings, the entry stays with these, and blocks nothing, as before the block. */
export const adminDomainBlockEnd = operation(removeAdminDomainBlock, {
  takesTopLevel: true,
  convert: {id: idOrBlockable},
  requests: (input) => requestsFor(hasSettings(input) ? adminDomainBlockUpdate : adminDomainBlockRemoval, input),
  send: (input, client) => (hasSettings(input) ? sendUpdate(input, client) : sendRemoval(input, client)),
});
