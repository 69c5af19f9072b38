import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {BrowserContext, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {write as html} from '../../src/lib/policy/reports/formats/html.js';
import type {AuditReport} from '../../src/lib/policy/rows/audit.js';
import {chromiumFor, launchChromium} from '../chromium.js';
import {clean, drifted, hostile, many, numbered, reported, withFindings} from '../lib/policy/reports/audits.js';
import {background, contrasts, overflow} from '../lib/policy/reports/in-page.js';

const htmlReport = (reports: readonly AuditReport[]): string => html(reported(...reports));

const installed = chromiumFor('The page of an audit');

const ten = Array.from({length: 10}, (_, index): AuditReport => ({...withFindings(numbered(3, 'd')), account: `@account${index}`}));

test('a page about several accounts has each by itself, with a heading', () => {
  const page = htmlReport(ten);
  expect(page.match(/<h2[^>]*>.*<\/h2>/g)?.map((heading) => heading.replaceAll(/<[^>]*>/g, ''))).toEqual(
    ten.map(({account}) => `${account.slice(1)}@pix.example differs from p.yml`),
  );
  expect(page.match(/<th scope="row">/g)).toHaveLength(30);
});

// The sentences: test/lib/policy/reports/words.test.ts.
test('has a title with the number of audits', () => {
  const page = htmlReport([...ten.slice(0, 2), {...clean, account: '@c'}]);
  expect(page).toContain('<h1><bdi>3 audits</bdi></h1>');
  expect(page).toContain('<title>3 audits – audit</title>');
});

test('escapes all text of servers', () => {
  const page = htmlReport([hostile]);
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).not.toMatch(/\son\w+=|javascript:|(?:src|href)="(?!#)/);
});

describe.skipIf(installed === undefined)('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-page-'));
  let browser: BrowserContext;

  beforeAll(async () => {
    browser = await launchChromium(join(folder, 'profile'));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, {recursive: true, force: true});
  });

  /** The page as somebody opens it who was sent the file; what it complains of and asks for fails the test. */
  async function opened(reports: readonly AuditReport[]): Promise<Page> {
    const file = join(folder, 'audit.html');
    writeFileSync(file, htmlReport(reports));
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('request', (request) => complaints.push(...(request.url().startsWith('file:') ? [] : [request.url()])));
    onTestFinished(async () => {
      await page.close();
      expect(complaints).toEqual([]);
    });
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  const shownFindings = (page: Page) => page.locator('th[scope=row]:visible').count();

  test.each<[string, readonly AuditReport[], number]>([
    ['none', [clean], 0],
    ['a few', [drifted], 5],
    ['many', [many], 500],
    ['hostile text', [hostile], 6],
    ['several servers', [clean, {...drifted, server: 'https://other.example'}], 5],
    ['several accounts', ten, 30],
  ])('%s: what is shown is nowhere wider than a phone', async (_, reports, findings) => {
    const page = await opened(reports);
    await page.setViewportSize({width: 400, height: 800});
    // What is long is folded.
    for (const folded of await page.locator('details:not([open]) > summary').all()) await folded.click();
    expect(await shownFindings(page)).toBe(findings);
    expect(await page.locator('section').count()).toBe(reports.length);
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  });

  test('runs no script and loads nothing', async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    const file = join(folder, 'injected.html');
    writeFileSync(file, htmlReport([clean]).replace('<main>', '<main><script>document.title = "theirs"</script><img src="x.png">'));
    await page.goto(pathToFileURL(file).href);
    expect(await page.title()).toBe('ana@pix.example agrees with p.yml – audit');
    expect(refused).toHaveLength(2);
  });

  test.each(['light', 'dark'] as const)('the page has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await opened([drifted]);
    await page.emulateMedia({colorScheme});
    const found: readonly {readonly ratio: number}[] = await page.evaluate(contrasts, ['.muted', '.bad', 'h1', 'thead th']);
    expect(found.filter(({ratio}) => !(ratio >= 4.5))).toEqual([]);
    expect(await page.evaluate(background)).toBe(colorScheme === 'light' ? 'rgb(244, 246, 248)' : 'rgb(15, 19, 24)');
  });
});
