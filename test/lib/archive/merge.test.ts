import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {keptMessages} from '../../../src/lib/archive/kept.js';
import {mergeReading} from '../../../src/lib/archive/merge.js';
import {ConversationPlace} from '../../../src/lib/archive/places.js';
import {Reading, ReadingWriter, type Order} from '../../../src/lib/archive/reading.js';

interface Known {
  text: string;
  versions: string[];
  isMissing: boolean;
}

/** What happens on the server, and then one run. */
interface Step {
  readonly sent: number;
  /** Which messages are deleted and edited, as parts of all of them. */
  readonly deleted: readonly number[];
  readonly edited: readonly number[];
  readonly order: Order;
  /** Of the newest messages; null: all. */
  readonly newest: number | null;
  /** Pages that are read before it fails; null: it does not. */
  readonly fails: number | null;
  /** Whether it is killed before it merges. */
  readonly isKilled: boolean;
  readonly drops: boolean;
}

const part = fc.double({min: 0, max: 0.999, noNaN: true});
const step: fc.Arbitrary<Step> = fc.record({
  sent: fc.nat(9),
  deleted: fc.array(part, {maxLength: 2}),
  edited: fc.array(part, {maxLength: 2}),
  order: fc.constantFrom('up', 'down'),
  newest: fc.option(fc.integer({min: 1, max: 6}), {nil: null}),
  fails: fc.option(fc.nat(3), {nil: null}),
  isKilled: fc.boolean(),
  drops: fc.boolean(),
});

const pageSize = 3;
const messageOf = (id: number, text: string) => ({
  id: String(id),
  text: JSON.stringify({id: String(id), text, created_at: '2026-01-01T00:00:00Z'}),
});

/** The archive in memory: what was seen stays, what was seen to be gone is marked. */
class Model {
  readonly known = new Map<number, Known>();

  see(id: number, text: string): void {
    const before = this.known.get(id);
    if (before === undefined) this.known.set(id, {text, versions: [], isMissing: false});
    else {
      if (before.text !== text) before.versions.push(before.text);
      Object.assign(before, {text, isMissing: false});
    }
  }

  sawAll(ids: ReadonlySet<number>, from: number, drops: boolean): void {
    for (const [id, known] of this.known) {
      if (id < from || ids.has(id)) continue;
      if (drops) this.known.delete(id);
      else known.isMissing = true;
    }
  }
}

async function contentOf(place: ConversationPlace) {
  const all: [number, Known][] = [];
  for await (const {id, text, entry} of keptMessages(place)) {
    const textIn = (json: string) => JSON.parse(json).text;
    const versions = entry?.versions.map((version) => JSON.parse(version).message.text) ?? [];
    all.push([Number(id), {text: textIn(text), versions, isMissing: entry?.missingSince !== undefined}]);
  }
  return all;
}

test('an archive is what all its runs saw, whatever they read, in which order, and where they ended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, {minLength: 1, maxLength: 6}), async (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'pixelctl-merge-'));
      const place = new ConversationPlace(folder, '7');
      mkdirSync(place.folder);
      const model = new Model();
      const server = new Map<number, string>();
      let next = 100;
      const options = {writePage: async () => {}};
      const recover = async () => {
        const left = await Reading.open(place.reading);
        if (left !== undefined) await mergeReading(place, left, {...options, dropsMissing: false});
      };
      for (const [index, {sent, deleted, edited, order, newest, fails, isKilled, drops}] of steps.entries()) {
        for (let count = 0; count < sent; count += 1) server.set((next += 1), 'first');
        const pick = (share: number) => [...server.keys()][Math.floor(share * server.size)];
        for (const share of deleted) server.delete(pick(share) ?? 0);
        for (const share of edited) {
          const id = pick(share);
          if (id !== undefined) server.set(id, `edited ${index}`);
        }
        await recover();
        const all = [...server].toSorted(([one], [other]) => one - other).slice(newest === null ? 0 : -newest);
        const pages = Array.from({length: Math.ceil(all.length / pageSize)}, (_, page) =>
          all.slice(page * pageSize, (page + 1) * pageSize),
        );
        const inOrder = order === 'up' ? pages : pages.toReversed();
        const read = fails === null ? inOrder : inOrder.slice(0, fails);
        {
          await using writer = await ReadingWriter.create(place.reading, {at: new Date(index * 1000).toISOString(), order});
          for (const page of read) await writer.page(page.map(([id, text]) => messageOf(id, text)));
          const [lowest] = all;
          const from = newest === null || lowest === undefined ? null : {id: String(lowest[0]), isWithin: true};
          if (fails === null) await writer.end(newest !== null && lowest === undefined ? null : from);
        }
        for (const [id, text] of read.flat().toSorted(([one], [other]) => one - other)) model.see(id, text);
        if (fails === null) {
          const isPart = newest !== null && all.length > 0;
          model.sawAll(new Set(all.map(([id]) => id)), isPart ? (all[0]?.[0] ?? 0) : 0, drops && !isKilled);
        }
        if (isKilled) continue;
        const reading = await Reading.open(place.reading);
        if (reading !== undefined) await mergeReading(place, reading, {...options, dropsMissing: drops});
        expect(await contentOf(place)).toEqual([...model.known].toSorted(([one], [other]) => one - other));
      }
      await recover();
      expect(await contentOf(place)).toEqual([...model.known].toSorted(([one], [other]) => one - other));
      rmSync(folder, {recursive: true});
    }),
    {numRuns: 60},
  );
});
