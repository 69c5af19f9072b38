/** Shows message requests one by one at a terminal, and carries out each decision at once. */
import {commandText} from '../../files/command-text.js';
import {addBlock} from '../../api/blocks.js';
import {acceptConversation, hideConversation, listConversations, listMessages} from '../../api/direct.js';
import type {Endpoint, PlainInput} from '../../api/endpoint.js';
import {report} from '../../api/report.js';
import {factsOf, membersOf} from '../../api/schema.js';
import type {Column} from '../../api/view.js';
import {asFailure, Failure} from '../../client/failure.js';
import {pagesOf} from '../../client/paging.js';
import {requestFor, usableIdAt} from '../../client/request.js';
import {booleanAt, identifierAt, itemsAt, textAt} from '../../json/path.js';
import {countNoun, firstOf} from '../../json/text.js';
import {perform} from '../../operations/operation.js';
import type {Setting} from '../../print/format.js';
import {paint} from '../../print/palette.js';
import {openList} from '../../print/print.js';
import {renderRecord} from '../../print/record.js';
import {layoutOf, plainText} from '../../print/values.js';
import {wrapWords} from '../../print/width.js';
import {sendWrite} from '../runner.js';
import {connect, type Connection} from '../connection.js';
import {formatFailure} from '../errors.js';
import {allowWrites, choose} from '../prompts.js';
import type {Session} from '../session.js';

type Decision = 'accept' | 'block' | 'hide' | 'quit' | 'report' | 'skip';

/** The decisions that send something. */
type Action = Exclude<Decision, 'quit' | 'skip'>;

const perPage = 40;

/** How many of the newest messages of a request are shown. */
const maxMessages = 20;

const reasons = factsOf(report.body.report_type)?.known ?? [];

interface Person {
  readonly id: string;
  /** `@sly` */
  readonly name: string;
}

interface MessageRequest {
  readonly id: string;
  readonly conversation: unknown;
  readonly people: readonly Person[];
  /** The only person, who can be blocked. With several it would have to be asked which one. */
  readonly person: Person | undefined;
  /** What is reported: the newest visible message of another account, else the only person. */
  reported: {readonly object_type: string; readonly object_id: string; readonly name: string} | undefined;
}

/** @throws Failure `bad_answer` without ids that can be sent, which decisions need */
function requestIn(conversation: unknown, host: string): MessageRequest {
  const id = usableIdAt(conversation, ['id']);
  const participants = itemsAt(conversation, ['participants']) ?? [];
  const people = participants.flatMap((person): Person[] => {
    const one = usableIdAt(person, ['id']);
    return one === undefined ? [] : [{id: one, name: `@${identifierAt(person, ['acct']) ?? '?'}`}];
  });
  if (id === undefined || people.length < participants.length)
    throw new Failure('bad_answer', `${host}: the response does not name the conversation and the people in it`);
  const [person] = people.length === 1 ? people : [];
  return {id, conversation, people, person, reported: person && {object_type: 'user', object_id: person.id, name: person.name}};
}

const personColumns: readonly Column[] = [
  {header: 'from', path: 'participants', kind: 'accounts'},
  {header: 'name', path: 'person.display_name'},
  {header: 'about', path: 'about'},
  {header: 'posts', path: 'person.statuses_count', kind: 'number'},
  {header: 'followers', path: 'person.followers_count', kind: 'number'},
  {header: 'joined', path: 'person.created_at', kind: 'time'},
  {header: 'since', path: 'created_at', kind: 'time'},
];

function endsRun({code, details: {reason}}: Failure): boolean {
  return ['internal', 'interrupted', 'local', 'terminated'].includes(code) || (code === 'auth' && reason !== 'scope');
}

class Triage {
  readonly #connection: Connection;
  readonly #setting: Setting;
  /** The ids of requests with a decision that failed, and was not carried out later. */
  readonly #failed = new Set<string>();
  #shown = 0;

  constructor(connection: Connection) {
    const {io} = connection.session;
    this.#connection = connection;
    this.#setting = {terminal: io.err, now: io.now};
  }

  /**
   * Goes through the requests until the last one, or until the person quits.
   * @throws Failure `partial` when something failed; `interrupted` on Ctrl-C; as reading the requests does
   */
  async run(): Promise<void> {
    const {client, session} = this.#connection;
    await this.#goThrough();
    if (this.#shown === 0) session.note(`No message requests on ${client.host}.`);
    if (this.#failed.size === 0) return;
    throw new Failure('partial', `What was decided about ${countNoun(this.#failed.size, 'request')} failed`, {
      hint: 'the errors above say why',
    });
  }

  async #goThrough(): Promise<void> {
    const {client} = this.#connection;
    const request = requestFor(listConversations, {query: {filter: 'requests', limit: perPage}});
    for await (const {items} of pagesOf(client, {request, endpoint: listConversations})) {
      for (const conversation of items) {
        this.#shown += 1;
        if ((await this.#decide(requestIn(conversation, client.host), `Request ${this.#shown}`)) === 'quit') return;
      }
    }
  }

  async #decide(request: MessageRequest, heading: string): Promise<'next' | 'quit'> {
    const {session} = this.#connection;
    await this.#show(request, heading);
    const {person, reported} = request;
    for (;;) {
      const decision = await choose<Decision>(session.io, 'What to do?', [
        {value: 'accept', name: 'accept'},
        {value: 'hide', name: 'hide'},
        ...(person === undefined ? [] : [{value: 'block', name: `block ${person.name}`} as const]),
        ...(reported === undefined ? [] : [{value: 'report', name: `report ${reported.name}`} as const]),
        {value: 'skip', name: 'skip'},
        {value: 'quit', name: 'quit'},
      ]);
      if (decision === 'quit') return 'quit';
      if (decision === 'skip') return 'next';
      try {
        if (await this.#carryOut(decision, request)) return 'next';
      } catch (error) {
        this.#tell(asFailure(error));
      }
    }
  }

  /** @returns whether nothing is left to decide about the request */
  async #carryOut(action: Action, request: MessageRequest): Promise<boolean> {
    const {id, people, person, reported} = request;
    const all = people.map(({name}) => name);
    const names = all.length === 0 ? 'a deleted account' : firstOf(all);
    if (action === 'block' && person !== undefined) {
      await this.#send(request, addBlock, {path: {id: person.id}}, `Blocked ${person.name}.`);
      return this.#carryOut('hide', request);
    }
    if (action === 'report' && reported !== undefined) {
      const choices = [...reasons.map((value) => ({value, name: value})), {value: '', name: 'back'}];
      const reason = await choose(this.#connection.session.io, 'Why?', choices);
      const {name, ...object} = reported;
      if (reason !== '') await this.#send(request, report, {body: {...object, report_type: reason}}, `Reported ${name} to the moderators.`);
      return false;
    }
    const [endpoint, said] = action === 'accept' ? [acceptConversation, 'Accepted'] : [hideConversation, 'Hid'];
    await this.#send(request, endpoint, {path: {id}}, `${said} the request of ${names}.`);
    return true;
  }

  /** @param said the sentence for when it is done @throws Failure when it is not */
  async #send(request: MessageRequest, endpoint: Endpoint, input: PlainInput, said: string): Promise<void> {
    this.#failed.add(request.id);
    await sendWrite(this.#connection, (over) => perform(endpoint, input, over));
    this.#failed.delete(request.id);
    this.#connection.session.tellUnlessQuiet(said);
  }

  /** Says what failed, if the run can go on. @throws the failure if not */
  #tell(failure: Failure): void {
    if (endsRun(failure)) throw failure;
    const {session} = this.#connection;
    const {color, width} = session.io.err;
    session.io.tell(wrapWords(formatFailure(failure, session.inUse, {json: false, color}), width));
  }

  /** Shows who writes, since when, and what they wrote. */
  async #show(request: MessageRequest, heading: string): Promise<void> {
    const {io} = this.#connection.session;
    const {conversation, people} = request;
    const [person] = people.length === 1 ? (itemsAt(conversation, ['participants']) ?? []) : [];
    const about = plainText(textAt(person, ['note']) ?? '') || undefined;
    const facts = {...membersOf(conversation), person, about};
    io.tell(`\n${paint('bold', heading, io.err)}\n${renderRecord(facts, personColumns, layoutOf(this.#setting))}`);
    try {
      io.tell(`\n${await this.#messagesOf(request)}\n`);
    } catch (error) {
      this.#tell(asFailure(error));
    }
  }

  async #messagesOf(request: MessageRequest): Promise<string> {
    const {id, people} = request;
    const {exact} = await this.#connection.client.call(listMessages, {path: {id}, query: {limit: maxMessages}});
    const messages = itemsAt(exact, ['data']) ?? [];
    const newest = messages.find((message) => booleanAt(message, ['is_author']) !== true);
    const newestId = usableIdAt(newest, ['id']);
    const names = new Map(people.map((person) => [person.id, person.name]));
    const sender = names.get(identifierAt(newest, ['sender_id']) ?? '') ?? 'somebody';
    if (newestId !== undefined)
      request.reported = {object_type: 'direct_message', object_id: newestId, name: `the newest message of ${sender}`};
    const writer = await openList({...this.#setting, format: 'table', view: listMessages.view, names});
    const shown = writer.items(messages.toReversed());
    const {stdout, stderr = ''} = writer.end();
    const more = booleanAt(exact, ['meta', 'has_more']) === true ? `Only the newest ${maxMessages} messages are shown.\n` : '';
    return `${shown}${[...stdout].join('')}${stderr === '' ? '' : `${stderr}\n`}${more}`;
  }
}

/** Runs `dm triage`, which asks about each request. @throws Failure `usage` without a terminal; as reading the requests does */
export async function triageRequests(session: Session): Promise<void> {
  if (!session.io.canAsk) {
    throw new Failure('usage', 'dm triage needs a terminal: nothing was sent', {
      hint: `list requests with \`${commandText('dm list', {flags: {filter: 'requests'}})}\``,
    });
  }
  await using connection = await connect(session);
  await allowWrites([connection], 'Decide on message requests', undefined, session);
  await new Triage(connection).run();
}
