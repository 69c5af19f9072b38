/**
 * A tour of the commands against the local test server: each command as you would type it, and what it prints. At a terminal it waits
 * between its parts, unless it is started with `--no-pause`.
 */
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isatty} from 'node:tty';
import {styleText} from 'node:util';
import {bin, examplePolicy, startSandbox} from './sandbox.js';

/** Whether somebody reads, and goes on with Enter. */
const waits = isatty(0) && isatty(1) && !process.argv.includes('--no-pause');
let isBegun = false;

const sandbox = await startSandbox();
const folder = mkdtempSync(join(tmpdir(), 'pixelctl-demo-'));
try {
  tour();
} catch (error) {
  process.stderr.write(`The demo stopped: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  sandbox.stop();
  rmSync(folder, {recursive: true, force: true});
}

function tour() {
  for (const [name, value] of Object.entries(sandbox.settings)) say(`export ${name}=${value}`);

  title('Messages');
  run('dm', 'unread-count');
  run('dm', 'list');
  const conversation = ask('dm', 'list').data[0].id;
  run('dm', 'messages', conversation);
  run('dm', 'send', conversation, 'Sent from a shell 📷');
  run('dm', 'read', conversation);
  run('dm', 'mute', conversation);

  title('Notifications, and a report');
  run('notifications', 'list');
  const [spammer] = ask('blocks', 'list');
  run('report', 'user', spammer.id, '--type', 'spam', '--message', 'Sells followers');

  title('Blocks and mutes');
  run('blocks', 'list');
  run('blocks', 'list', '--limit', '1', '--json');
  run('mutes', 'list');
  run('mutes', 'add', '@bob');
  run('mutes', 'contains', '@bob');
  run('mutes', 'remove', '@bob');

  title('Blocked servers');
  run('domain-blocks', 'list');
  run('domain-blocks', 'add', 'spam.example', '--yes');
  run('domain-blocks', 'list');
  run('domain-blocks', 'remove', 'spam.example');

  title('Filters');
  const texts = ['--title', 'Film endings', '--keyword', 'plot twist'];
  run('filters', 'create', ...texts, '--context', 'home', '--action', 'warn', '--expires-in', '7d');
  const filter = ask('filters', 'list').find(({title: name}) => name === 'Film endings').id;
  run('filters', 'update', filter, '--title', 'Films and series', '--keyword', 'post-credits scene');
  run('filters', 'list');
  run('filters', 'delete', filter, '--yes');

  title('The server');
  run('config');

  title('Push settings of a device');
  run('push', 'update', 'ExponentPushToken[demo-device]', '--notify', '--like', '--no-follow');
  run('push', 'state');

  title('Moderation as code');
  writeFileSync(join(folder, 'policy.yml'), examplePolicy);
  say('cat policy.yml');
  process.stdout.write(examplePolicy);
  fail(10, 'audit', 'policy.yml');
  fail(10, 'plan', 'policy.yml');
  run('apply', 'policy.yml', '--yes');
  run('audit', 'policy.yml');
  run('explain', 'scam.example', '--policy', 'policy.yml');
  run('undo', 'policy.yml', '--yes');

  title('An error, and its exit status');
  fail(4, 'dm', 'get', '999999');
}

function title(text) {
  pause();
  process.stdout.write(`\n${style('bold', `# ${text}`)}\n`);
}

function pause() {
  const isFirst = !isBegun;
  isBegun = true;
  if (isFirst || !waits) return;
  process.stdout.write(`\n${style('dim', 'Press Enter to go on, Ctrl-C to stop.')} `);
  readSync(0, Buffer.alloc(1024));
}

function say(line) {
  process.stdout.write(`\n${style('green', '$')} ${style('bold', line)}\n`);
}

/** Shows a command and what it prints. */
function run(...args) {
  const status = show(args);
  if (status !== 0) throw new Error(`${typed(args)} ended with ${status}`);
}

/** Shows a command that must end with this status, and the status. */
function fail(expected, ...args) {
  const status = show(args);
  if (status !== expected) throw new Error(`${typed(args)} ended with ${status} and not with ${expected}`);
  say('echo $?');
  process.stdout.write(`${status}\n`);
}

function show(args) {
  say(typed(args));
  const {status, signal} = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    env: sandbox.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? signal;
}

/** The response to a command that is not shown, from which the tour takes its ids. */
function ask(...args) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [bin, ...args, '--json'], {env: sandbox.env, encoding: 'utf8'});
  if (status !== 0) throw new Error(`${typed([...args, '--json'])} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function typed(args) {
  return ['pixelctl', ...args].map((word) => (/^[\w@.:/=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

function style(format, text) {
  return styleText(format, text, {stream: process.stdout});
}
