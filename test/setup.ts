import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import nock from 'nock';
import {afterAll, afterEach} from 'vitest';
import {forgetNewer} from './oldest-node.js';

forgetNewer();

// Of a hundred lines, as vitest has it, each failure that a test provokes takes as long as a request.
Error.stackTraceLimit = 10;

// What the machine has set must not reach the program under test.
const foreign =
  /^(pixelctl_(?!test_).*|(https?|all|no)_proxy|ssl_cert_(file|dir)|node_extra_ca_certs|no_color|force_color|columns|lines|npm_config_.*)$/i;
for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];

const home = mkdtempSync(join(tmpdir(), 'pixelctl-test-'));
process.env['PIXELCTL_CONFIG_DIR'] = join(home, 'config');
process.env['XDG_CACHE_HOME'] = join(home, 'cache');
// One compile cache for all child processes of all runs: it is keyed by content and only makes them quicker.
process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, '../.cache/compiled');
afterAll(() => rmSync(home, {recursive: true, force: true}));

// Files share a process: one that lets its requests go to real sockets leaves nock restored.
if (!nock.isActive()) nock.activate();
nock.disableNetConnect();
nock.enableNetConnect(/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/);

let unexpected: string[] = [];
const noMatch = (request: Request, interceptors?: unknown[]) => {
  const toLoopback = /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(request.url).hostname);
  if (!toLoopback || interceptors) unexpected.push(`${request.method} ${request.url}`);
};
nock.emitter.on('no match', noMatch);
afterAll(() => void nock.emitter.off('no match', noMatch));

/** What Node warns of: a listener too many, a promise that nobody handles. People would see it too. */
let warnings: string[] = [];
const warned = ({name, message}: Error) => void warnings.push(`${name}: ${message}`);
process.on('warning', warned);
afterAll(() => void process.off('warning', warned));

afterEach(() => {
  const heard = warnings;
  warnings = [];
  if (heard.length > 0) throw new Error(`Node warned: ${heard.join(', ')}`);
});

afterEach(() => {
  const unused = nock.pendingMocks();
  const surprises = unexpected;
  nock.cleanAll();
  unexpected = [];
  if (unused.length > 0) throw new Error(`Stubs that nothing asked for: ${unused.join(', ')}`);
  if (surprises.length > 0) throw new Error(`Requests that no stub expects: ${surprises.join(', ')}`);
});
