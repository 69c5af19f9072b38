import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {addedKeywords, changedKeywords, endOf} from '../../../../src/lib/cli/endpoint/filter-flags.js';

const refused = (message: string) => expect.objectContaining({code: 'usage', message: expect.stringContaining(message)});

describe('--expires-in', () => {
  test.each([
    ['1', 1],
    ['0', 0],
    ['90s', 90],
    ['30m', 1800],
    ['12h', 43_200],
    ['7d', 604_800],
    ['604800', 604_800],
  ])('%s is %i seconds', (text, seconds) => {
    expect(endOf(text)).toBe(seconds);
  });

  test('accepts never, and is undefined when it is not given', () => {
    expect(endOf('never')).toBe('never');
    expect(endOf(undefined)).toBeUndefined();
  });

  test.each(['', '-5', '1.5h', '5 h', '5w', '1h30m', '1e3', 'Never', 'tomorrow', '99999999999999999999'])('refuses %j', (text) => {
    expect(() => endOf(text)).toThrow(refused('for --expires-in'));
  });
});

describe('added keywords', () => {
  test('added keywords come from --keyword, after those of the input', () => {
    expect(addedKeywords([{keyword: 'c'}], {keyword: ['spoiler', 'a, b']})).toEqual({
      entries: [{keyword: 'c'}],
      add: [{keyword: 'spoiler'}, {keyword: 'a, b'}],
    });
    expect(addedKeywords(undefined, {})).toEqual({add: []});
  });

  test.each([[{keyword: 'a'}], ['a'], [null]])('added keywords of the input must be a list, not %j', (entries) => {
    expect(() => addedKeywords(entries, {})).toThrow(refused('must be an array'));
  });
});

describe('changed keywords', () => {
  test('changed keywords are merged into one entry per keyword', () => {
    const flags = {'rename-keyword': ['5=a'], 'whole-word-of': ['5=true'], 'remove-keyword': ['6', '6']};
    expect(changedKeywords(undefined, flags)).toMatchObject({
      remove: [6],
      change: [{id: 5, keyword: 'a', whole_word: true}],
    });
  });

  test('omit whole_word when only the text changes', () => {
    expect(changedKeywords(undefined, {'rename-keyword': ['5=a']}).change).toEqual([{id: 5, keyword: 'a'}]);
  });

  test('changed keywords can be empty', () => {
    expect(changedKeywords(undefined, {})).toEqual({remove: [], change: [], add: []});
  });

  test.each([
    [{'remove-keyword': ['x']}, '--remove-keyword takes the id of a keyword'],
    [{'remove-keyword': ['']}, '--remove-keyword takes the id of a keyword'],
    [{'remove-keyword': ['-5']}, '--remove-keyword takes the id of a keyword'],
    [{'remove-keyword': ['9007199254740993']}, '--remove-keyword takes the id of a keyword'],
    [{'rename-keyword': ['5']}, '--rename-keyword takes KEYWORD_ID=VALUE'],
    [{'rename-keyword': ['spoiler=x']}, '--rename-keyword takes the id of a keyword'],
    [{'rename-keyword': ['5= ']}, 'Keyword 5 cannot become empty'],
    [{'whole-word-of': ['5=yes']}, '--whole-word-of takes KEYWORD_ID=true or KEYWORD_ID=false'],
    [{'whole-word-of': ['5']}, '--whole-word-of takes KEYWORD_ID=VALUE'],
    [{'whole-word-of': ['5=true'], 'remove-keyword': ['5']}, 'Keyword 5 cannot be removed and changed in one update'],
    [{'rename-keyword': ['5=a'], 'remove-keyword': ['5']}, 'Keyword 5 cannot be removed and changed in one update'],
  ])('changed keywords that contradict each other or are invalid are refused: %j', (flags, message) => {
    expect(() => changedKeywords(undefined, flags)).toThrow(refused(message));
  });

  test('contain every given keyword once, and no other', () => {
    const ids = fc.uniqueArray(fc.nat(), {maxLength: 12});
    const word = fc.string({minLength: 1}).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(ids, fc.infiniteStream(fc.nat({max: 2})), word, (all, kinds, text) => {
        const groups: [number[], number[], number[]] = [[], [], []];
        for (const id of all) groups[kinds.next().value]?.push(id);
        const [removed, renamed, switched] = groups;
        const entries = changedKeywords(undefined, {
          'remove-keyword': removed.map(String),
          'rename-keyword': renamed.map((id) => `${id}=${text}`),
          'whole-word-of': switched.map((id) => `${id}=true`),
        });
        expect(entries).toEqual({
          remove: removed,
          change: [...renamed.map((id) => ({id, keyword: text})), ...switched.map((id) => ({id, whole_word: true}))],
          add: [],
        });
      }),
    );
  });
});
