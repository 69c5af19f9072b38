/** What of a list is offered by completion: what names its items for commands, and what people know them by. */
import {kindOfItems, type Endpoint} from '../../api/endpoint.js';
import {nameIn} from '../../api/kind.js';
import {kinds} from '../../api/kinds/index.js';
import {parseWithTexts} from '../../json/exact.js';
import {itemsAt} from '../../json/path.js';
import type {Io} from '../io.js';
import type {Offered} from './complete.js';
import {keepSeen, mostItems, plainWord, tidy, type SeenOwner} from './seen.js';

/** The items of a list that can be offered, up to a thousand. @param answer long numbers are texts in it */
export function itemsOfList(endpoint: Pick<Endpoint, 'items' | 'name' | 'offered' | 'rows'>, answer: unknown): Offered[] {
  const {rows = [], offered} = endpoint;
  if (offered === undefined) return [];
  const kind = kinds[kindOfItems(endpoint)];
  return (itemsAt(answer, rows) ?? [])
    .slice(0, mostItems)
    .map((item) => ({value: nameIn(kind, item), about: tidy(kind.title(item))}))
    .filter(({value}) => plainWord.test(value));
}

/** Collects what a list command prints, for completion. */
export class SeenList {
  readonly #endpoint: Endpoint;
  readonly #owner: SeenOwner;
  readonly #io: Pick<Io, 'env' | 'now'>;
  #items: readonly Offered[] | undefined;

  constructor(endpoint: Endpoint, owner: SeenOwner, io: Pick<Io, 'env' | 'now'>) {
    this.#endpoint = endpoint;
    this.#owner = owner;
    this.#io = io;
  }

  /** @param answer the text of a page, for ids that are long numbers */
  add(answer: string): void {
    const before = this.#items ?? [];
    if (before.length < mostItems) this.#items = [...before, ...itemsOfList(this.#endpoint, parseWithTexts(answer))];
  }

  /** To be called when everything is printed. Never fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#items === undefined) return;
    await keepSeen(this.#endpoint.name, this.#owner, this.#items, this.#io.env, this.#io.now().getTime());
  }
}
