import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {BrowserContext, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import {chromiumFor, launchChromium} from '../chromium.js';
import {contrasts, directionOf, overflow, widthWhenLoaded} from '../lib/policy/reports/in-page.js';
import {changingSandbox, itemsOf, newArchive} from './archives.js';
import {run} from './in-process.js';

const installed = chromiumFor('The page of a conversation');

const hostile = '<script>document.title = "theirs"</script><img src=x onerror="alert(1)">&amp;';
const persian = 'سلام، می\u200cخواهم دوربین را ببینم\u200f (امروز)';
const family = 'Hi 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿!';

/** More than a page of the server. */
const tides = 60;
const shownInAll = 8 + tides;

const world: SeedState = {
  me: 'ana',
  accounts: [
    {acct: 'ana', name: 'Ana'},
    {acct: 'bob', name: 'Bob <b>bold</b>'},
    {acct: 'omar@lens.example', name: 'عمر'},
  ],
  mutuals: ['bob', 'omar@lens.example'],
  conversations: [
    {between: ['ana', 'omar@lens.example'], messages: [{from: 'omar@lens.example', text: 'مرحبا'}]},
    {
      between: ['ana', 'bob'],
      messages: [
        {from: 'bob', text: hostile},
        {from: 'bob', text: persian},
        {from: 'ana', text: `${family}\n  second line`, inReplyTo: 0},
        {from: 'bob', text: 'Secret', sensitive: true, media: ['image/png']},
        {from: 'bob', media: ['image/png', 'video/mp4']},
        {from: 'ana', text: 'To be edited'},
        {from: 'ana', text: 'To be deleted'},
        {from: 'bob', text: 'An override \u202Egnp.exe'},
        ...Array.from({length: tides}, (_, index) => ({from: 'bob', text: `Tide table ${index}`})),
      ],
    },
  ],
};

/** An archive with everything that a page can show, and the ids of its messages. */
async function archive(): Promise<{folder: string; index: string; ids: string[]}> {
  await using server = await changingSandbox({seed: world});
  const {env} = server;
  const to = newArchive();
  server.change = ({target}, answered) =>
    target.includes('/messages')
      ? {...answered, text: answered.text.replaceAll('"description":null', String.raw`"description":"\" onload=\"alert(2)"`)}
      : undefined;
  await run(['dm', 'export', '--to', to], {env});
  const [{id}] = itemsOf(to, 'conversations.ndjson');
  const ids = itemsOf(to, id, 'messages.ndjson').map(({id: own}) => own);
  await run(['dm', 'delete-message', id, ids[6], '--yes'], {env});
  const change = server.change;
  server.change = (received, answered) => {
    const first = change(received, answered) ?? answered;
    return {...first, text: first.text.replace('To be edited', 'Edited').replace('"mime":"image\\/png"', '"mime":"text\\/html"')};
  };
  await run(['dm', 'export', '--to', to], {env});
  return {folder: join(to, id), index: join(to, 'index.html'), ids};
}

describe('the page of a conversation', () => {
  let made: Awaited<ReturnType<typeof archive>>;
  let page = '';
  beforeAll(async () => {
    made = await archive();
    page = readFileSync(join(made.folder, 'page.html'), 'utf8');
  });

  test('nothing of a message or a name becomes markup, and nothing comes from a network', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain(
      '&lt;script&gt;document.title = &quot;theirs&quot;&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;',
    );
    expect(page).toContain('Bob &lt;b&gt;bold&lt;/b&gt;');
    expect(page.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/);
    expect(page).not.toMatch(/(?:src|href)="(?!#|media\/|\.\.\/index\.html)/);
    expect(page).toContain('default-src &#39;none&#39;');
  });

  test('overrides are shown as escapes; joiners, flags and marks of direction stay', () => {
    expect(page).toContain(String.raw`An override \u202egnp.exe`);
    expect(page).toContain(persian);
    expect(page).toContain(family);
  });

  describe.skipIf(installed === undefined)('in Chromium', () => {
    const profile = mkdtempSync(join(tmpdir(), 'pixelctl-page-'));
    let browser: BrowserContext;
    beforeAll(async () => {
      browser = await launchChromium(profile);
    });
    afterAll(async () => {
      await browser.close();
      rmSync(profile, {recursive: true, force: true});
    });

    /** What the page complains of and asks of a network fails the test. */
    async function opened(file: string): Promise<Page> {
      const tab = await browser.newPage();
      const complaints: string[] = [];
      tab.on('console', (message) => complaints.push(message.text()));
      tab.on('pageerror', (error) => complaints.push(error.message));
      tab.on('dialog', (dialog) => complaints.push(dialog.message()));
      tab.on('request', (request) => complaints.push(...(request.url().startsWith('file:') ? [] : [request.url()])));
      onTestFinished(async () => {
        await tab.close();
        expect(complaints).toEqual([]);
      });
      await tab.goto(pathToFileURL(file).href);
      return tab;
    }

    const conversation = () => opened(join(made.folder, 'page.html'));
    const shown = (tab: Page) => tab.locator('article:not([hidden])').count();

    test('pictures are shown, sensitive ones behind a click', async () => {
      const tab = await conversation();
      const open = tab.locator(`#m${made.ids[4]} img`);
      await open.scrollIntoViewIfNeeded();
      expect(await open.evaluate(widthWhenLoaded)).toBe(32);
      const sensitive = tab.locator(`#m${made.ids[3]}`);
      expect(await sensitive.locator('img').isVisible()).toBe(false);
      expect(await sensitive.getByText('Secret').isVisible()).toBe(true);
      await sensitive.locator('summary').click();
      expect(await sensitive.locator('img').evaluate(widthWhenLoaded)).toBe(32);
      expect(await open.getAttribute('alt')).toMatch(/^" onload="alert\(2\) \(photo from .+ UTC\)$/);
      expect(await tab.title()).toContain('– messages');
    });

    test('the search finds messages, and shows all again', async () => {
      const tab = await conversation();
      expect(await shown(tab)).toBe(shownInAll);
      await tab.locator('#text').fill('TABLE tide');
      expect(await tab.locator('#shown').textContent()).toBe(`${tides} of ${shownInAll} found`);
      expect(await shown(tab)).toBe(tides);
      await tab.locator('#text').fill('دوربین');
      expect(await shown(tab)).toBe(1);
      await tab.locator('#text').fill('');
      expect(await shown(tab)).toBe(shownInAll);
    });

    test('right-to-left messages begin at the right, whatever is around them', async () => {
      const tab = await conversation();
      const direction = (index: number) => tab.locator(`#m${made.ids[index]} .text`).evaluate(directionOf);
      expect(await direction(1)).toBe('rtl');
      expect(await direction(2)).toBe('ltr');
      expect(await direction(7)).toBe('ltr');
    });

    const texts = ['h1', '.who', 'time', '.text', '.reply a', '.mark', '.gone', '.day', 'summary', '.muted'];
    test.each([
      ['page of a conversation', () => join(made.folder, 'page.html'), texts],
      ['index', () => made.index, ['h1', '.muted', '.list a']],
    ] as const)('the %s fits small and large screens, and can be read in both schemes', async (_, file, readable) => {
      const tab = await opened(file());
      for (const width of [390, 1280])
        for (const colorScheme of ['light', 'dark'] as const) {
          await tab.setViewportSize({width, height: 800});
          await tab.emulateMedia({colorScheme});
          expect(await tab.evaluate(overflow)).toBeLessThanOrEqual(0);
          const found: readonly {readonly ratio: number}[] = await tab.evaluate(contrasts, [...readable]);
          expect(found.filter(({ratio}) => !(ratio >= 4.5))).toEqual([]);
        }
    });

    test('all is there without the script, and no other script runs', async () => {
      const plain = join(made.folder, 'plain.html');
      writeFileSync(
        plain,
        page.replace(/<script>[^]*<\/script>/, '').replace('<main>', '<main><script>document.title = "theirs"</script>'),
      );
      const tab = await browser.newPage();
      onTestFinished(() => tab.close());
      const refused: string[] = [];
      tab.on('console', (message) => refused.push(message.text()));
      await tab.goto(pathToFileURL(plain).href);
      expect(await shown(tab)).toBe(shownInAll);
      expect(await tab.getByRole('search').isVisible()).toBe(false);
      expect(await tab.title()).not.toBe('theirs');
      expect(refused).toHaveLength(1);
    });

    test('the index leads to each conversation and back', async () => {
      const tab = await opened(made.index);
      expect(await tab.locator('.list a').allTextContents()).toEqual(['Bob <b>bold</b>', 'عمر']);
      await tab.locator('.list a').first().click();
      expect(await tab.locator('h1').textContent()).toBe('Bob <b>bold</b>');
      await tab.getByRole('link', {name: 'All conversations'}).click();
      expect(await tab.locator('h1').textContent()).toBe('Messages of @ana');
    });
  });
});
