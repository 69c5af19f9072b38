/** The approval page in a real browser: whether what a plain HTTP client does is what people can do. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {BrowserContext, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {beginAuthorization, finishAuthorization, outOfBand, registerClient, type Authorization} from '../../src/lib/auth/oauth.js';
import {startSandbox} from '../sandbox/start.js';
import {machine} from './signing-in.js';
import {chromiumFor, launchChromium} from '../chromium.js';

const installed = chromiumFor('The approval page');

describe.skipIf(installed === undefined)('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-chromium-'));
  let browser: BrowserContext;

  beforeAll(async () => {
    browser = await launchChromium(folder, {javaScriptEnabled: false});
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, {recursive: true, force: true});
  });

  /** The approval page of a sign-in, open in the browser. */
  async function opened(scopes: readonly string[], redirectUri: string): Promise<{begun: Authorization; page: Page}> {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const server = new URL(sandbox.url);
    const client = await registerClient(server, {name: 'pixelctl', redirectUri, scopes});
    const begun = await beginAuthorization(server, client, {scopes, redirectUri});
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(begun.url);
    return {begun, page};
  }

  test('approves and copies the shown code', async () => {
    const {begun, page} = await opened(['read'], outOfBand);
    await page.getByRole('button', {name: 'Allow'}).click();
    await page.waitForLoadState();
    const shown = await page.locator('body').innerText();
    expect(await finishAuthorization(begun, shown)).toMatchObject({accessToken: expect.any(String)});
  });

  test('auth login opens it, and continues after approval', async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const around = machine();
    const running = around.start(['auth', 'login', '--server', sandbox.url, '--profile', 'mine']);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(await around.opened());
    await page.getByLabel('Your account').selectOption('@clara');
    await page.getByRole('button', {name: 'Allow'}).click();
    expect(await page.getByRole('heading').textContent()).toBe('Approved');
    expect(await running.ended).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('as @clara. Active profile: mine.'),
    });
    expect(await around.run(['api', 'GET', '/api/v1/accounts/verify_credentials', '--json'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"acct":"clara"'),
    });
  });
});
