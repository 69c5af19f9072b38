/** A server without a network that policies are applied to: rows change it, and answers may be lost. */
import {openClient} from '../../../src/lib/client/client.js';
import {asFailure, Failure} from '../../../src/lib/client/failure.js';
import {type Changes, prepareApply, Sending} from '../../../src/lib/policy/rows/change.js';
import {compareAccount, type Comparison} from '../../../src/lib/policy/rows/compare.js';
import {planDigest} from '../../../src/lib/policy/rows/digest.js';
import {type Item, keyOf, type Kind, type Row} from '../../../src/lib/policy/sections/policy-kind.js';
import {endingFrom} from '../../../src/lib/policy/model/filter-value.js';
import {isFilter, type Value} from '../../../src/lib/policy/model/value.js';
import {type PolicyWithLists, readPolicy} from '../../../src/lib/policy/reading/read-policy.js';
import {filesIn, type States, timeAfter} from '../../../src/lib/policy/rows/states.js';
import {StateFile} from '../../../src/lib/policy/state/file.js';
import {type Answer, answerFrom} from '../../../src/lib/client/answer.js';
import type {Target} from '../../../src/lib/policy/rows/target.js';
import {prepareUndo} from '../../../src/lib/policy/rows/undo.js';

export const now = new Date('2026-11-20T12:00:00.000Z');
export const host = 'pix.example';
const server = new URL(`https://${host}`);
const client = openClient({server, token: async () => 'x'});
const via = {client, accounts: () => Promise.reject(new Error('There is no network'))};

/** Which states and kinds a world has: those of an account, or of a server. */
type Owner = Kind['owner'];

/** What becomes of a write: `lost` and `cut` are carried out, but nobody hears of it; a run ends with `cut`, and before `stopped` is sent. */
export type Fate = 'cut' | 'done' | 'lost' | 'refused' | 'stopped' | 'swallowed';

class Killed extends Error {}

/** Policies that were read before. */
const read = new Map<string, PolicyWithLists>();

async function givenBy(text: string): Promise<PolicyWithLists> {
  const given = read.get(text) ?? (await readPolicy('p.yml', undefined, {text, now}));
  read.set(text, given);
  return given;
}

export class World {
  readonly files: States;
  /** Every write that was carried out. */
  readonly writes: string[] = [];
  readonly #items = new Map<string, Map<string, Item>>();
  readonly #target: Target;
  #ids = 0;

  constructor(owner: Owner = 'account') {
    this.files = {[owner]: StateFile.inMemory(owner === 'account' ? `ana@${host}` : `@${host}`)};
    this.#target = {
      client,
      server,
      owner,
      account: '@ana',
      own: {id: '1', acct: 'ana'},
      advice: {account: {}, policy: {}},
      now: () => now,
      state: undefined,
      warn: () => {},
      use: (file) => file,
      readFollowedAccounts: () => Promise.reject(new Error('There is no network')),
      read: async (kind) => ({items: new Map(this.itemsOf(kind))}),
    };
  }

  itemsOf({key}: Pick<Kind, 'key'>): Map<string, Item> {
    const items = this.#items.get(key) ?? new Map<string, Item>();
    this.#items.set(key, items);
    return items;
  }

  /** As people see it. */
  get seen(): Record<string, readonly string[]> {
    return Object.fromEntries(
      Array.from(this.#items, ([kind, items]) => [kind, Array.from(items, ([name, {value}]) => `${name} ${JSON.stringify(value)}`).sort()]),
    );
  }

  set(kind: Kind, name: string, value: Value | null): void {
    const items = this.itemsOf(kind);
    if (value === null) items.delete(name);
    else items.set(name, {value, ...(value !== true && {id: items.get(name)?.id ?? String((this.#ids += 1))}), ...keywordsOf(value)});
  }

  async compared(text: string): Promise<Comparison> {
    const [file] = filesIn(this.files);
    const {of, lines} = file?.state ?? {of: '', lines: []};
    return compareAccount(await givenBy(text), this.#target, {[of.startsWith('@') ? 'server' : 'account']: StateFile.inMemory(of, lines)});
  }

  async rows(text: string) {
    return (await this.compared(text)).kinds.flatMap(({rows}) => rows);
  }

  async digest(text: string): Promise<string> {
    return planDigest([await this.compared(text)]) ?? '';
  }

  /** @param fates of its writes, in order; those without one are done */
  async apply(text: string, fates: readonly Fate[] = [], expected?: string): Promise<void> {
    await this.#send(await prepareApply(await givenBy(text), this.#target, this.files), fates, expected);
  }

  async undo(fates: readonly Fate[] = []): Promise<void> {
    await this.#send(await prepareUndo({name: 'p.yml', file: 'p.yml', verb: 'apply'}, this.files, this.#target), fates);
  }

  async #send(changes: Changes, fates: readonly Fate[], expected?: string): Promise<void> {
    const sending = new Sending(changes);
    await sending.begin({at: timeAfter(filesIn(this.files), now), expected});
    let failure: Failure | undefined;
    for (const [index, {request}] of [...sending.steps].entries()) {
      const fate = fates[index] ?? 'done';
      // After a kill nothing is written to a state: its request never ends.
      const killed = Promise.withResolvers<never>();
      const sent = sending.send(request, via, (row, _, __, begin) => this.#carryOut(row, begin, fate, killed.reject));
      try {
        await Promise.race([sent, killed.promise]);
      } catch (error) {
        if (error instanceof Killed) return;
        failure = asFailure(error);
      }
    }
    await sending.end(failure);
  }

  async #carryOut({kind, name, want, action}: Row, begin: () => Promise<void>, fate: Fate, kill: (why: Killed) => void): Promise<Answer> {
    const never = new Promise<never>(() => {});
    if (fate === 'stopped') kill(new Killed());
    if (fate === 'stopped') return never;
    await begin();
    if (fate === 'done' || fate === 'lost' || fate === 'cut') {
      this.writes.push(`${action} ${keyOf(kind, name)}`);
      this.set(kind, name, action === 'remove' || want === null ? null : isFilter(want) ? endingFrom(want, now) : want);
    }
    if (fate === 'cut') kill(new Killed());
    if (fate === 'cut') return never;
    if (fate === 'done') return answerFrom({id: this.itemsOf(kind).get(name)?.id});
    throw new Failure(fate === 'refused' ? 'refused' : 'unavailable', fate, fate === 'refused' ? {} : {fate: 'unknown'});
  }
}

/** Keywords have ids. */
function keywordsOf(value: Value): Pick<Item, 'keywords'> {
  return value !== true && 'keywords' in value ? {keywords: value.keywords.map((one, index) => ({...one, id: index + 1}))} : {};
}
