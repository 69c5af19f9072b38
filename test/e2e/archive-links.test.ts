import {readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {startSandbox} from '../../src/lib/sandbox/server.js';
import {newArchive} from './archives.js';
import {run} from './in-process.js';

const bobs = '1029249430941045799';

test.each(['index.html', 'conversations.ndjson', bobs, `${bobs}/.reading.ndjson`, `${bobs}/media`, `${bobs}/page.html`])(
  'an archive in which %s is a symbolic link is refused, and what it leads to is left as it is',
  async (name) => {
    const sandbox = await startSandbox({limitsRate: false});
    onTestFinished(() => sandbox.close());
    const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
    const to = newArchive();
    await run(['dm', 'export', '--to', to], {env});
    const outside = join(to, '..', 'outside');
    writeFileSync(outside, '');
    rmSync(join(to, name), {recursive: true, force: true});
    symlinkSync(outside, join(to, name));
    const again = await run(['dm', 'export', '--to', to], {env});
    expect(again).toMatchObject({status: 2, stdout: ''});
    expect(again.stderr).toContain(`${join(to, name)} is a symbolic link, which no archive has: nothing was sent`);
    expect(readFileSync(outside, 'utf8')).toBe('');
  },
);
