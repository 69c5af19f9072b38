/** How long pages without news are followed. */
import {describe, expect, test} from 'vitest';
import {everyPage, items, listRequest, listServer} from './list-server.js';

const next = (query: string) => `<https://pix.example/api/v1/blocks?${query}>; rel="next"`;

describe('pages without news', () => {
  /** Pages by what is on each: new items, items of the first page, or none. */
  const read = async (...pages: readonly ('empty' | 'new' | 'old')[]) => {
    const server = await listServer((_query, _path, before) => {
      const kind = pages[before];
      const body = kind === 'new' ? items(1000 + before) : kind === 'old' ? items(1000) : [];
      return {body, ...(before + 1 < pages.length && {link: next(`cursor=c${before + 1}`)})};
    });
    return {found: (await everyPage(server, listRequest('blocks'))).flat().length, asked: server.targets.length};
  };
  const times = <Kind>(count: number, kind: Kind): Kind[] => Array.from({length: count}, () => kind);

  test('are followed ten times, and from each page with news on again', async () => {
    expect(await read('new', ...times(10, 'old' as const), 'new')).toEqual({found: 2, asked: 12});
    expect(await read('new', ...times(11, 'old' as const), 'new')).toEqual({found: 1, asked: 12});
    const again = times(10, 'old' as const);
    expect(await read('new', ...again, 'new', ...again, 'new')).toEqual({found: 3, asked: 23});
    expect(await read('new', ...again, 'new', ...again, 'old', 'new')).toEqual({found: 2, asked: 23});
  });

  test('are followed as often as there were pages with news, where these were more', async () => {
    const news = times(15, 'new' as const);
    expect(await read(...news, ...times(15, 'old' as const), 'new')).toEqual({found: 16, asked: 31});
    expect(await read(...news, ...times(16, 'old' as const), 'new')).toEqual({found: 15, asked: 31});
  });

  test('are followed where they are empty', async () => {
    expect(await read('new', ...times(30, 'empty' as const), 'new')).toEqual({found: 2, asked: 32});
  });
});
