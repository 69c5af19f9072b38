/** Random servers, and policies that have something to do with them. */
import fc from 'fast-check';
import {aFilter, inDays, type Model} from './model-server.js';

const domains = ['a.example', 'b.example', 'sub.a.example', 'c.example', 'xn--bcher-kva.example', 'd.example', 'e.example'];
const accounts = ['zoe', 'bo', 'troll@a.example', 'spam@b.example', 'ana@b.example'];
const words = ['alpha', 'beta', 'gamma', 'delta', 'two words', 'ünï', 'yes', '1', 'null'];
const titles = ['One', 'Two', 'no', 'Ünï "q"'];
const context = fc.subarray(['home', 'public', 'tags'], {minLength: 1});
const action = fc.constantFrom('warn', 'hide', 'blur');
const end = fc.constantFrom(null, 30, 400);

interface Keyword {
  readonly keyword: string;
  readonly whole_word: boolean;
}

/** Every word in one of the filters at most, as servers want it. */
function sharedOut(count: number): fc.Arbitrary<Keyword[][]> {
  const dealt = fc.tuple(
    ...words.map((keyword) => fc.record({keyword: fc.constant(keyword), whole_word: fc.boolean(), at: fc.integer({min: 0, max: count})})),
  );
  return dealt.map((all) =>
    Array.from({length: count}, (_, index) => all.filter(({at}) => at === index).map(({keyword, whole_word}) => ({keyword, whole_word}))),
  );
}

const filtersOfServer = fc.subarray(titles).chain((names) =>
  fc
    .tuple(sharedOut(names.length), ...names.map((title) => fc.record({title: fc.constant(title), context, action, end})))
    .map(([keywords, ...filters]) =>
      filters.map((filter, index) =>
        aFilter(filter.title, {
          context: filter.context.toSorted(),
          action: filter.action,
          expiresAt: filter.end === null ? null : inDays(filter.end),
          // Only one that was emptied by hand has none, and servers refuse to update that.
          keywords: [
            ...(keywords[index] ?? []).map((one, at) => ({id: index * 100 + at + 1, keyword: one.keyword, wholeWord: one.whole_word})),
            `own ${filter.title}`.toLowerCase(),
          ],
        }),
      ),
    ),
);

const model: fc.Arbitrary<Model> = fc.record({
  domains: fc.shuffledSubarray(domains),
  filters: filtersOfServer,
  blocks: fc.shuffledSubarray(accounts),
  mutes: fc.shuffledSubarray(accounts),
});

const rules = fc.subarray(titles).chain((names) =>
  fc
    .tuple(
      sharedOut(names.length),
      ...names.map((title) =>
        fc.record({
          title: fc.constant(title),
          context,
          action: fc.option(action, {nil: undefined}),
          isExact: fc.boolean(),
          expires: fc.constantFrom(undefined, 'never', '90d', inDays(50)),
        }),
      ),
    )
    .map(([keywords, ...filters]) =>
      filters.map(({isExact, ...filter}, index) => ({
        ...filter,
        // `own …` keeps a filter from becoming empty.
        [isExact ? 'keywords' : 'keywords_at_least']: [...(keywords[index] ?? []), `OWN ${filter.title} `],
      })),
    ),
);

const domainRules = fc.tuple(fc.shuffledSubarray(domains), fc.integer({min: 0, max: 7}), fc.boolean()).map(([some, at, only]) => ({
  must: some.slice(0, at).map((domain) => (domain.startsWith('xn--') ? 'BÜCHER.example' : domain)),
  must_not: some.slice(at),
  only,
}));

/** Rules of accounts, which people write in several ways. */
const accountRules = fc.tuple(fc.shuffledSubarray(accounts), fc.integer({min: 0, max: 5}), fc.boolean()).map(([some, at, only]) => ({
  must: some.slice(0, at).map((account) => (account === 'zoe' ? '@Zoe@pix.example' : account)),
  must_not: some.slice(at),
  only,
}));

const policy = fc
  .record({
    version: fc.constant(1),
    domain_blocks: fc.option(domainRules, {nil: undefined}),
    filters: fc.option(
      fc
        .tuple(rules, fc.subarray(titles), fc.boolean())
        .map(([must, not, only]) => ({must, must_not: not.filter((title) => !must.some((one) => one.title === title)), only})),
      {nil: undefined},
    ),
    blocks: fc.option(accountRules, {nil: undefined}),
    mutes: fc.option(accountRules, {nil: undefined}),
  })
  .map((value) => JSON.stringify(value));

/**
 * Filters of the server that the policy leaves alone keep their words, and servers take a word in one filter only: so
 * only what the policy names or removes shares words with it.
 */
export const modelAndPolicy = fc.record({model, policy}).map(({model: server, policy: text}) => {
  const {
    filters,
  }: {filters?: {must: {title: string; keywords_at_least?: unknown; keywords?: unknown}[]; must_not: string[]; only: boolean}} =
    JSON.parse(text);
  const isFree = (title: string) => {
    const rule = filters?.must.find((one) => one.title === title);
    return rule ? rule.keywords !== undefined : filters?.only === true || filters?.must_not.includes(title) === true;
  };
  return {
    policy: text,
    model: {
      ...server,
      filters: server.filters.map((filter) =>
        isFree(filter.title) ? filter : {...filter, keywords: filter.keywords.filter(({keyword}) => keyword.startsWith('own '))},
      ),
    },
  };
});
