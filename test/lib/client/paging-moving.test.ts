/** Lists that change while they are read. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {everyPage, items, listRequest, listServer, type PageAnswer} from './list-server.js';

/** What happens at the head of the list before a page is answered. */
interface Change {
  readonly come: number;
  readonly go: number;
}

const size = fc.integer({min: 1, max: 7});
const length = fc.nat(40);
const changes = (most: Change, maxLength: number) => fc.array(fc.record({come: fc.nat(most.come), go: fc.nat(most.go)}), {maxLength});

/** A list, newest first, in which items come and go at the head as they do on a busy server. */
class MovingList {
  readonly #changes: readonly Change[];
  #newest: number;
  #pages = 0;
  now: number[];
  /** Those that were there throughout. */
  stayed: number[];

  constructor(length: number, changes: readonly Change[]) {
    this.#newest = length;
    this.#changes = changes;
    this.now = Array.from({length}, (_, index) => length - index);
    this.stayed = [...this.now];
  }

  move(): void {
    const {come = 0, go = 0} = this.#changes[this.#pages++ - 1] ?? {};
    const gone = new Set(this.now.slice(0, go));
    this.now = this.now.filter((id) => !gone.has(id));
    this.stayed = this.stayed.filter((id) => !gone.has(id));
    for (let count = 0; count < come; count += 1) this.now.unshift((this.#newest += 1));
  }
}

function linkTo(query: string): string {
  return `<https://pix.example/api/v1/blocks?${query}>; rel="next"`;
}

/** Pages by the last id seen, as real servers: the last page has a next one, too. */
function byId({now}: MovingList, query: URLSearchParams): PageAnswer {
  const below = Number(query.get('max_id') ?? Number.POSITIVE_INFINITY);
  const page = now.filter((id) => id < below).slice(0, Number(query.get('limit')));
  return {body: items(...page), ...(page.length > 0 && {link: linkTo(`max_id=${page.at(-1)}`)})};
}

function byNumber({now}: MovingList, query: URLSearchParams): PageAnswer {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit'))];
  return {
    body: items(...now.slice((page - 1) * limit, page * limit)),
    ...(now.length > page * limit && {link: linkTo(`page=${page + 1}&limit=${limit}`)}),
  };
}

test.each([
  ['by id', byId, changes({come: 4, go: 4}, 30)],
  // Where items go, those behind them move to pages that were read already: no reader can know. Nor is there an end to a
  // list that never stops growing as fast as it is read.
  ['by number', byNumber, changes({come: 1, go: 0}, 10)],
] as const)('paged %s: what was there throughout is given once', async (_, answer, someChanges) => {
  let list = new MovingList(0, []);
  const server = await listServer((query) => {
    list.move();
    return answer(list, query);
  });
  await fc.assert(
    fc.asyncProperty(length, size, someChanges, async (many, limit, moves) => {
      list = new MovingList(many, moves);
      const found = (await everyPage(server, listRequest('blocks', {query: {limit: String(limit)}}))).flat().map(Number);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(list.stayed));
    }),
    {numRuns: 30},
  );
});
