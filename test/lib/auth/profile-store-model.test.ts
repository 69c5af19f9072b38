import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {named} from './ana.js';
import {newFolder} from '../../new-folder.js';

interface Entry {
  readonly token: string;
  readonly isProtected: boolean;
}

/** What a store is, without files. */
interface Model {
  readonly entries: Map<string, Entry>;
  active: string | null;
}

const name = fc.constantFrom('a', 'b', 'c', '__proto__');

const step = fc.oneof(
  fc.record({kind: fc.constant('save' as const), name, isProtected: fc.boolean()}),
  fc.record({kind: fc.constant('replace' as const), name}),
  fc.record({kind: fc.constantFrom('remove', 'activate'), name}),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether the step can be done. */
function inModel(model: Model, each: Step, token: string): boolean {
  const {entries} = model;
  const entry = entries.get(each.name);
  if (each.kind === 'save') {
    entries.set(each.name, {token, isProtected: 'isProtected' in each && each.isProtected});
    model.active = each.name;
    return true;
  }
  if (entry === undefined) return false;
  if (each.kind === 'replace') entries.set(each.name, {...entry, token});
  if (each.kind === 'activate') model.active = each.name;
  if (each.kind === 'remove') {
    entries.delete(each.name);
    if (model.active === each.name) model.active = entries.size === 1 ? ([...entries.keys()][0] ?? null) : null;
  }
  return true;
}

function inStore(store: ProfileStore, each: Step, accessToken: string): Promise<unknown> {
  const isProtected = 'isProtected' in each && each.isProtected;
  switch (each.kind) {
    case 'save':
      return store.save({...named(each.name), isProtected}, {accessToken});
    case 'replace':
      return store.replaceSecret(each.name, () => Promise.resolve({secret: {accessToken}}));
    case 'activate':
      return store.activate(each.name);
    default:
      return store.remove(each.name);
  }
}

test('behaves like a store in memory for any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, {maxLength: 12}), async (steps) => {
      const folder = newFolder();
      const model: Model = {entries: new Map(), active: null};
      for (const [index, each] of steps.entries()) {
        // Another one each time: nothing may be known from before but what is in the files.
        const store = new ProfileStore(folder, {storage: 'file'});
        const token = `token-${index}.`;
        const isDone = await inStore(store, each, token).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Failure && error.code === 'usage') return false;
            throw error;
          },
        );
        expect(isDone).toBe(inModel(model, each, token));
        const {active, profiles} = await store.list();
        expect(active).toBe(model.active);
        const found = profiles.map(async (profile): Promise<[string, Entry]> => {
          const {accessToken} = (await store.current(profile.name)).secret;
          return [profile.name, {token: accessToken, isProtected: profile.isProtected}];
        });
        expect(new Map(await Promise.all(found))).toEqual(model.entries);
      }
      if (steps.some(({kind}) => kind === 'save')) {
        const kept = readFileSync(join(folder, 'secrets.json'), 'utf8').match(/token-\d+\./g) ?? [];
        expect(kept.toSorted()).toEqual([...model.entries.values()].map(({token}) => token).toSorted());
      }
    }),
    {numRuns: 20},
  );
});
