import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {BrowserContext, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {Failure} from '../../src/lib/client/failure.js';
import {html} from '../../src/lib/policy/reports/formats/html.js';
import type {AuditReport} from '../../src/lib/policy/reports/report.js';
import {chromiumFor, launchChromium} from '../chromium.js';
import {emptyModel, stateOf} from '../lib/policy/model-server.js';
import {clean, drifted, hostile, many, reportOn, textOf} from '../lib/policy/reports/audits.js';
import {background, barWidths, contrasts, focusedValue, overflow} from '../lib/policy/reports/in-page.js';

const htmlReport = (reports: readonly AuditReport[]): string => textOf(html.render(reports));

const installed = chromiumFor('The page of an audit');

/** Ten accounts that have three differences in common, and two that have one of their own. */
const ten = Array.from({length: 10}, (_, index): AuditReport => {
  const own = index < 2 ? ['bad.example'] : [];
  const report = reportOn(
    `version: 1\ndomain_blocks: {must: [${['one', 'two', 'three'].map((name) => `${name}.example`).join(', ')}], must_not: [bad.example]}`,
    stateOf({...emptyModel, domains: own}),
  );
  return {...report, account: `@account${index}`};
});

describe('a page about several accounts', () => {
  const page = htmlReport(ten);

  test('shows what all have in common first and once, then each account by its name', () => {
    expect(page.match(/<h2[^>]*>.*<\/h2>/g)?.map((heading) => heading.replaceAll(/<[^>]*>/g, ''))).toEqual([
      'All 10 accounts',
      ...ten.map(({account}) => `${account.slice(1)}@pix.example`),
    ]);
    expect(page.match(/class="finding"/g)).toHaveLength(5);
    expect(page).toContain('<p>3 differences in each of them.');
    expect(page).toContain('<p>4 differences, 3 of them <a href="#all-1">above</a>.</p>');
    expect(page).toContain('<p>3 differences, all of them <a href="#all-1">above</a>.</p>');
  });

  test('a page about several accounts has no command that is not folded away', () => {
    const unfolded = page.replaceAll(/<details class="commands">[^]*?<\/details>/g, '');
    expect(page.match(/pixelctl (?:apply|domain-blocks)/g)).toHaveLength(3);
    expect(unfolded).not.toMatch(/pixelctl (?:apply|domain-blocks)/);
  });
});

const unread: AuditReport = {...ten[9]!, ok: false, findings: [], failure: new Failure('unavailable', 'no answer')};
const agreeing = (account: string): AuditReport => ({...clean, account});

test.each<[string, readonly AuditReport[]]>([
  ['All 10 accounts differ from the policy', ten],
  ['2 of 3 accounts differ from the policy', [...ten.slice(0, 2), agreeing('@c')]],
  ['1 of 3 accounts differs from the policy', [...ten.slice(0, 1), agreeing('@b'), agreeing('@c')]],
  ['1 of 2 accounts differs from the policy, and 1 could not be checked completely', [...ten.slice(0, 1), unread]],
  ['Both accounts agree with the policy', [agreeing('@b'), agreeing('@c')]],
  ['Both accounts agree with the policies', [agreeing('@b'), {...agreeing('@c'), policy: 'other.yml'}]],
  ['1 of 2 accounts could not be checked completely', [agreeing('@b'), unread]],
  ['account9@pix.example could not be checked completely', [unread]],
  ['account0@pix.example differs from the policies', [ten[0]!, {...ten[0]!, policy: 'other.yml'}]],
  ['ana@pix.example differs from the policy, and could not be checked completely', [drifted]],
  ['ana@pix.example agrees with the policy', [clean]],
])('says in a sentence: %s', (sentence, reports) => {
  const page = htmlReport(reports);
  expect(page).toContain(`<h1><bdi>${sentence}</bdi></h1>`);
  expect(page).toContain(`<title>${sentence} – audit</title>`);
});

test('escapes all text of servers', () => {
  const page = htmlReport([hostile]);
  expect(page.match(/<script/g)).toHaveLength(1);
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

  const shownFindings = (page: Page) => page.locator('.finding:visible').count();

  test.each<[string, readonly AuditReport[], number]>([
    ['none', [clean], 0],
    ['a few', [drifted], 7],
    ['many', [many], 300],
    ['hostile text', [hostile], 8],
    ['several servers', [clean, {...drifted, server: 'https://other.example'}], 7],
    ['several accounts that have differences in common', ten, 5],
  ])('%s: all findings, with nothing wider than a phone', async (_, reports, findings) => {
    const page = await opened(reports);
    await page.setViewportSize({width: 400, height: 800});
    // What is long is folded.
    for (const folded of await page.locator('.group:not([open]) > summary').all()) await folded.click();
    expect(await shownFindings(page)).toBe(findings);
    expect(await page.locator('section').count()).toBe(reports.length + (findings === 5 ? 1 : 0));
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  });

  test('filters findings from the keyboard', async () => {
    const page = await opened([drifted, many]);
    await page.keyboard.press('/');
    await page.keyboard.type('Must_not p.yml:4');
    expect(await page.locator('.finding:visible th').allTextContents()).toEqual(['good.example']);
    expect(await page.locator('output').textContent()).toBe('1 of 307 shown');
    expect(await page.locator('.group:visible').count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await shownFindings(page)).toBe(307);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.evaluate(focusedValue)).toBe('block');
    expect(await shownFindings(page)).toBe(306);
  });

  test('shows everything without the script', async () => {
    const file = join(folder, 'plain.html');
    writeFileSync(file, htmlReport([drifted]).replace(/<script>[^]*<\/script>/, ''));
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(pathToFileURL(file).href);
    expect(await shownFindings(page)).toBe(7);
    expect(await page.getByRole('search').isVisible()).toBe(false);
    await page.locator('.held:not([open]) summary').click();
    expect(await page.locator('.held li:visible').count()).toBe(4);
  });

  test('runs no other script and loads nothing', async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    const file = join(folder, 'injected.html');
    writeFileSync(file, htmlReport([clean]).replace('<main>', '<main><script>document.title = "theirs"</script><img src="x.png">'));
    await page.goto(pathToFileURL(file).href);
    expect(await page.title()).toBe('ana@pix.example agrees with the policy – audit');
    expect(refused).toHaveLength(2);
  });

  test.each(['light', 'dark'] as const)('the page has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await opened([drifted]);
    await page.emulateMedia({colorScheme});
    const found: readonly {readonly ratio: number}[] = await page.evaluate(contrasts, [
      '.muted',
      '.bad',
      '.doubtful',
      '.tile dd',
      'h1',
      'thead th',
      '.kicker',
      'a',
      'output',
    ]);
    expect(found.filter(({ratio}) => !(ratio >= 4.5))).toEqual([]);
    expect(await page.evaluate(background)).toBe(colorScheme === 'light' ? 'rgb(244, 246, 248)' : 'rgb(15, 19, 24)');
  });

  test('draws a row for each set of lists, with a bar for its domains', async () => {
    const page = await opened([many]);
    const bars = page.locator('.origins .bar rect.there + rect');
    expect(await bars.count()).toBe(6);
    const widths = await page.evaluate(barWidths);
    expect(widths.map((width) => Math.round(width * 170))).toEqual([170, 120, 60, 30, 20, 20]);
    expect(await page.locator('.origins tbody tr').first().locator('th').innerText()).toContain('lists/tier0.csv');
    expect(await page.locator('.origins tbody tr').first().locator('circle.on').count()).toBe(2);
  });
});
