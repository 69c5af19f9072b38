/** Lists of a policy: what they leave out, what they say about domains, and lists for other tools. */
import {readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {recordedSandbox} from '../../e2e/server.js';
import {watchedSandbox} from '../../policy-desk.js';
import {adminDesk, deskAt, run as runAt} from './desk.js';

test.concurrent('shows the rows that a list leaves out with their places, the first ones to people and all with --json', async () => {
  await using server = await watchedSandbox();
  const rows = ['good.example', 'b*d.example', '*.wild.example', ...Array.from({length: 7}, (_, index) => `no-${index}`)];
  const {json, run} = deskAt(server, {
    'p.yml': 'version: 1\ndomain_blocks:\n  lists: [{file: list.txt, on_mistake: skip}]\n',
    'list.txt': rows.join('\n'),
  });
  for (const command of ['audit', 'plan']) {
    const {stderr} = await run(command, 'p.yml');
    expect(stderr.split('\n').slice(0, 6)).toEqual([
      'list.txt: skipped 7 invalid entries, 2 obfuscated entries',
      ...[4, 5, 6, 7, 8].map((line) => `list.txt:${line}: "no-${line - 4}" is not a domain: it has no dot`),
    ]);
    const skipped = [4, 5, 6, 7, 8, 9, 10].map((line) => ({
      source: `list.txt:${line}`,
      why: `"no-${line - 4}" is not a domain: it has no dot`,
    }));
    expect((await json(command, 'p.yml')).lists).toMatchObject([{list: 'list.txt', entries: 1, obfuscated: 2, invalid: 7, skipped}]);
  }
});

test.concurrent.each<[spelling: string, again: (folder: string) => string]>([
  ['./', () => './a.txt'],
  ['its folder', (folder) => `../${basename(folder)}/a.txt`],
  ['its whole path', (folder) => join(realpathSync(folder), 'a.txt')],
])('a list that is named twice, with %s, counts once, and explain says how far lists agree', async (_, again) => {
  await using server = await watchedSandbox();
  const {run, write, folder} = deskAt(server, {
    'a.txt': 'one.example\ntwo.example\n',
    'b.txt': 'two.example\nthree.example\n',
  });
  write('share.yml', `version: 1\ndomain_blocks:\n  agree: 67%\n  lists: [{file: a.txt}, {file: b.txt}, {file: ${again(folder)}}]\n`);
  const {stdout} = await run('audit', 'share.yml', '--json');
  expect(JSON.parse(stdout).findings).toMatchObject([{subject: 'two.example', lists: expect.arrayContaining(['a.txt:2', 'b.txt:1'])}]);
  expect((await run('audit', 'share.yml')).stdout).toContain('a.txt:2, b.txt:1  ');
  expect((await run('explain', 'one.example', '--policy', 'share.yml')).stdout).toContain('suspend; named by 1 list, 2 needed');
});

describe('lists of must_not', () => {
  const policy =
    'version: 1\ndomain_blocks:\n  lists: [{file: blocks.txt}]\n  must_not:\n    domains: [fine.example]\n    lists: [{file: allow.csv}]\n';
  const files = {
    'p.yml': policy,
    'blocks.txt': 'bad.example\ngood.example\nfine.example\nwild.example\n',
    'allow.csv': '#domain,#severity\nspam.example.net,noop\ngood.example,suspend\nwild.example,silence\nh*d.example,suspend\n',
  };
  const heldBack = [
    ['fine.example', 'p.yml:5', 'p.yml'],
    ['good.example', 'allow.csv:3', 'allow.csv'],
    ['wild.example', 'allow.csv:4', 'allow.csv'],
  ].map(([subject, source, file]) => {
    const why = `lists name it, but must_not forbids blocking it (${file})`;
    return {subject, why, where: source};
  });
  const kept = {
    subject: 'spam.example.net',
    why: 'a list of must_not names it (allow.csv), and no apply of this policy made the block: to unblock it, name it in must_not itself',
    where: 'allow.csv:2',
  };

  test.concurrent('hold back what other lists name, keep what is blocked, and say so', async () => {
    await using server = await watchedSandbox();
    const {json, run} = deskAt(server, files);
    const plan = await run('plan', 'p.yml');
    expect(plan.stdout).toBe('+ domain block bad.example: suspend  # domain_blocks.lists: blocks.txt:1\n');
    expect(plan.stderr).toContain('allow.csv: skipped 1 obfuscated entry\n');
    expect(plan.stderr).toContain('Held back: domain block fine.example: lists name it, but must_not forbids blocking it (p.yml)\n');
    expect(plan.stderr).toContain(
      'Held back: domain blocks good.example, wild.example: lists name it, but must_not forbids blocking it (allow.csv)\n',
    );
    expect(plan.stderr).toContain(`Kept: domain block spam.example.net: ${kept.why}\n`);
    for (const command of ['plan', 'audit']) {
      const {skipped, lists} = JSON.parse((await run(command, 'p.yml', '--json')).stdout);
      expect(skipped).toHaveLength(heldBack.length + 1);
      const all = [...heldBack, kept].map((one) => expect.objectContaining({...one, rule: 'domain_blocks.must_not'}));
      expect(skipped).toEqual(expect.arrayContaining(all));
      expect(lists.map((one: {list: string; allows?: true}) => [one.list, one.allows])).toEqual([
        ['blocks.txt', undefined],
        ['allow.csv', true],
      ]);
    }
    const because = [{rule: 'domain_blocks.must_not', where: 'allow.csv:3'}, {where: 'blocks.txt:2'}];
    expect(await json('explain', 'good.example', '--policy', 'p.yml')).toMatchObject([{wanted: false, because}]);
    await run('apply', 'p.yml', '--yes');
    expect(server.writes).toHaveLength(1);
    expect((await run('plan', 'p.yml')).status).toBe(0);
    expect((await run('audit', 'p.yml')).status).toBe(0);
  });

  test.concurrent('lists of must_not never unblock what a person blocked', async () => {
    await using server = await watchedSandbox({seed: 'empty'});
    const names = Array.from({length: 60}, (_, index) => `s${index}.example`);
    const using = (list: string, more = '') => `version: 1\ndomain_blocks:\n${more}  must_not: {lists: [${list}]}\n`;
    const {run, folder} = deskAt(server, {
      'p.yml': using('{file: other.txt}', '  lists: [{file: mine.txt}]\n'),
      'mine.txt': names.slice(0, 30).join('\n'),
      'other.txt': 'other.example\n',
      'stranger.txt': names.join('\n'),
      'keep.yml': using('{file: stranger.txt}'),
      'only.yml': using('{file: stranger.txt}', '  only: true\n'),
    });
    await run('domain-blocks', 'add', ...names.slice(30), '--yes');
    expect((await run('apply', 'p.yml', '--yes')).status).toBe(0);
    const sent = server.writes.length;
    // What no apply of the policy made stays, and is no difference.
    expect(await run('apply', 'keep.yml', '--yes')).toMatchObject({status: 0});
    const audit = await run('audit', 'keep.yml', '--json');
    expect([audit.status, JSON.parse(audit.stdout).skipped.length]).toEqual([0, 60]);
    expect(await run('apply', 'only.yml', '--yes')).toMatchObject({
      status: 5,
      stderr: expect.stringMatching(/it removes 60 items that no rule names \(limit 20\)[^]*--allow-removals 60/),
    });
    expect(JSON.parse((await run('plan', 'only.yml', '--json')).stdout).guards).toMatchObject([{flag: 'allow-removals', count: 60}]);
    // What an apply of it made goes, and counts as well.
    writeFileSync(join(folder, 'other.txt'), names.join('\n'));
    const plan = await run('plan', 'p.yml');
    expect(plan.stdout.split('\n').filter((line) => line.startsWith('-'))).toHaveLength(30);
    expect(plan.stdout).toContain('- domain block s0.example  # managed by this policy, which no longer names it\n');
    expect((await run('apply', 'p.yml', '--yes')).status).toBe(5);
    expect(server.writes).toHaveLength(sent);
    expect((await run('apply', 'p.yml', '--yes', '--allow-removals', '30')).status).toBe(0);
    expect(JSON.parse((await run('domain-blocks', 'list', '--json')).stdout)).toHaveLength(30);
  });
});

describe('what lists name below a domain of must_not', () => {
  const files = {
    'p.yml':
      'version: 1\nSECTION:\n  must: [own.friends.example]\n  must_not: {domains: [friends.example, a.big.example], lists: [{file: allow.txt}]}\n  lists: [{file: blocks.txt}]\n',
    'allow.txt': 'listed.example\n',
    'blocks.txt': 'bad.example\nsub.friends.example\nx.listed.example\nbig.example\nb.big.example\n',
  };
  const below = [
    ['sub.friends.example', 'friends.example', 'p.yml', 'p.yml:4'],
    ['x.listed.example', 'listed.example', 'allow.txt', 'allow.txt:1'],
  ].map(([subject, name, file, source]) => {
    const why = `lists name it, but it is below ${name}, and must_not forbids blocking that (${file})`;
    return expect.objectContaining({subject, why, where: source});
  });
  const policy = (section: string) => ({...files, 'p.yml': files['p.yml'].replace('SECTION', section)});
  const planOf = async (run: (...args: readonly string[]) => Promise<{readonly stdout: string}>) => {
    const {changes, skipped} = JSON.parse((await run('plan', 'p.yml', '--json')).stdout);
    return {names: changes.map(({subject}: {readonly subject: string}) => subject).toSorted(), skipped};
  };

  test.concurrent('is not blocked, and what the policy itself names there is', async () => {
    await using server = await watchedSandbox({seed: 'empty'});
    const {run} = deskAt(server, policy('domain_blocks'));
    const {names, skipped} = await planOf(run);
    expect(names).toEqual(['b.big.example', 'bad.example', 'big.example', 'own.friends.example']);
    expect(skipped).toEqual(below);
    const [explained] = JSON.parse((await run('explain', 'sub.friends.example', '--policy', 'p.yml', '--json')).stdout);
    expect(explained).toMatchObject({wanted: false, because: [{rule: 'domain_blocks.must_not'}, {rule: 'domain_blocks.lists'}]});
    expect((await run('export', '--from', 'p.yml', '--as', 'plain', '--quiet')).stdout.trim().split('\n')).toEqual(names);
    expect((await run('apply', 'p.yml', '--yes')).status).toBe(0);
    expect((await run('audit', 'p.yml')).status).toBe(0);
  });

  test.concurrent('and a block that covers one is held back where servers block subdomains with a domain', async () => {
    await using desk = await adminDesk(policy('admin_domain_blocks'), {like: 'mastodon'});
    const {names, skipped} = await planOf(desk.run);
    expect(names).toEqual(['b.big.example', 'bad.example', 'own.friends.example']);
    const why = 'a.big.example is below it, which must_not names';
    expect(skipped).toEqual(expect.arrayContaining([...below, expect.objectContaining({subject: 'big.example', why})]));
  });
});

describe('lists that servers publish', () => {
  test.concurrent('reads what another server publishes, where that is allowed', async () => {
    await using server = await watchedSandbox();
    await using other = await recordedSandbox();
    const {run} = deskAt(server, {'p.yml': `version: 1\ndomain_blocks: {lists: [{server: "${other.url}"}]}\n`});
    expect(await run('audit', 'p.yml')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/p\.yml:2 names a list on the web, .*--allow-remote-lists/s),
    });
    const {stdout, stderr} = await run('plan', 'p.yml', '--allow-remote-lists');
    expect(stderr).toContain(`${other.url}/api/v1/instance/domain_blocks: skipped 1 obfuscated entry\n`);
    expect(stdout + stderr).toContain('loud.example.com: silence, “Advertising, all day”');
    expect(stdout + stderr).not.toContain('hateful');
    expect(stderr).toContain('pixelctl apply p.yml --allow-remote-lists');
  });

  test.concurrent('fetches from this machine only for an account on it', async () => {
    await using other = await recordedSandbox();
    const files = {'p.yml': `version: 1\ndomain_blocks: {lists: [{server: "${other.url}"}]}\n`};
    for (const env of [{PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'unused'}, {}]) {
      const {status, stderr} = await deskAt({env}, files).run('export', '--from', 'p.yml', '--allow-remote-lists');
      expect({status, stderr}, JSON.stringify(env)).toEqual({
        status: 2,
        stderr: expect.stringContaining('is not fetched: only https:// URLs are allowed'),
      });
    }
  });
});

describe("the file in which Pixelfed's admins export other servers", () => {
  const file = readFileSync(join(import.meta.dirname, '../../fixtures/pixelfed-instances-mod.json'), 'utf8');
  const files = {
    'servers.json': file.replace(/,\n *"a\/b.example"/, ''),
    'whole.json': file,
    'p.yml': 'version: 1\ndomain_blocks: {lists: [{file: whole.json, on_mistake: skip}]}\n',
  };

  test.concurrent('is compared, explained, merged, taken as targets, and written', async () => {
    await using server = await watchedSandbox();
    const {run, write} = deskAt(server, files);
    write('other.csv', 'domain,severity\nbad.example,suspend\n');
    expect((await run('diff', 'other.csv', 'servers.json')).stdout).toContain('xn--mnchen-3ya.example');
    expect((await run('explain', 'bad.example', '--policy', 'p.yml')).stdout).toContain('whole.json:8');
    expect((await run('domain-blocks', 'add', '--from', 'servers.json', '--dry-run', '--json')).stdout).toContain(
      'https://xn--mnchen-3ya.example',
    );
    const merged = await run('export', '--from', 'servers.json', '--from', 'other.csv', '--as', 'pixelfed-instances');
    expect(JSON.parse(merged.stdout)).toMatchObject({auto_cw: [], unlisted: [], banned: ['bad.example', 'xn--mnchen-3ya.example']});
    expect(merged.stderr).toContain('1 domain with the severity noop');
    write('again.json', merged.stdout);
    expect(await run('diff', 'again.json', 'servers.json')).toMatchObject({status: 0});
    const own = await run('export', '--as', 'pixelfed-instances');
    expect(JSON.parse(own.stdout).banned).toEqual(['casino.example.com', 'spam.example.net', 'xn--bse-sna.example']);
    expect(own.stdout.endsWith('}')).toBe(true);
    expect(await run('export', '--as', 'pixelfed-instances', '--no-header')).toMatchObject({status: 2});
  });
});

describe('export --from', () => {
  const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';
  const lists = {
    'one.csv': `${header}\nbad.example,suspend,true,true,"=1+1\nspam",true\nmild.example,silence,false,false,,false\n*.wild.example,suspend,,,,\n`,
    'two.csv': 'domain,severity,public_comment,private_comment\nbad.example,silence,"spam, hate",seen\nnone.example,noop,,\n',
    'p.yml':
      'version: 1\ndomain_blocks:\n  must: [{domain: own.example, public_comment: mine}]\n  must_not: [mild.example]\n  lists: [{file: one.csv}, {file: two.csv, fields: [public_comment]}]\n',
    'mutes.yml': 'version: 1\nmutes: {must: [bo]}\n',
    'both.yml': 'version: 1\ndomain_blocks: {must: [a.example]}\nadmin_domain_blocks: {must: [a.example]}\n',
    'accounts.csv': 'ana@a.example\n',
    'empty.csv': `${header}\n`,
    'nothing.csv': '',
  };
  // No server: none may be needed.
  const noServer = {env: {}};

  test.concurrent('merges lists, and writes them for other tools', async () => {
    const {run} = deskAt(noServer, lists);
    const {stdout, stderr, status} = await run('export', '--from', 'one.csv', '--from', 'two.csv', '--as', 'mastodon-admin');
    expect(status).toBe(0);
    expect(stdout).toBe(
      `${header}\nbad.example,suspend,true,true,"=1+1\nspam, spam, hate",true\nmild.example,silence,false,false,,false\nnone.example,noop,false,false,,false\n`,
    );
    expect(stderr).toBe(
      'one.csv: skipped 1 obfuscated entry\nWarning: left out, because mastodon-admin cannot express it: private_comment of 1 domain\n',
    );
    expect((await run('export', '--from', 'one.csv', '--as', 'plain', '--quiet')).stdout).toBe('bad.example\nmild.example\n');
    const words = 'export --from one.csv --as fediblockhole --fields domain,public_comment --spreadsheet-safe';
    const safe = await run(...words.split(' '));
    expect(safe.stdout).toBe('domain,public_comment\nbad.example,"\'=1+1\nspam"\nmild.example,\n');
  });

  test.concurrent('writes what a policy wants blocked, with its reasons, and as a policy again', async () => {
    const {run, write} = deskAt(noServer, lists);
    const {stdout} = await run('export', '--from', 'p.yml', '--as', 'fediblockhole');
    const rows = ['bad.example,suspend,"=1+1\nspam, spam, hate",,true,true,true', 'own.example,suspend,mine,,false,false,false'];
    expect(stdout).toBe(`domain,severity,public_comment,private_comment,reject_media,reject_reports,obfuscate\n${rows.join('\n')}\n`);
    write('merged.yml', (await run('export', '--from', 'p.yml')).stdout);
    expect((await run('export', '--from', 'merged.yml', '--as', 'fediblockhole')).stdout).toBe(stdout);
    const {domain_blocks: blocks} = JSON.parse((await run('export', '--from', 'p.yml', '--json')).stdout);
    expect(blocks.must.map((one: {domain: string}) => one.domain)).toEqual(['bad.example', 'own.example']);
  });

  test.concurrent('says which parts of a policy it leaves out', async () => {
    const {run} = deskAt(noServer, {
      'p.yml': 'version: 1\ndomain_blocks: {must: [a.example], must_not: [b.example]}\nblocks: {must: [bob]}\n',
    });
    const {status, stderr} = await run('export', '--from', 'p.yml');
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('and no more: domain_blocks.must_not, blocks\n')});
    expect((await run('export', '--from', 'p.yml', '--only', 'domain_blocks')).stderr).toBe('');
  });

  test.concurrent.each(['one.csv', 'p.yml'] as const)('reads %s from standard input', async (name) => {
    const {folder, run} = deskAt(noServer, lists);
    const rest = ['--as', 'fediblockhole', '--quiet'];
    const {stdout} = await run('export', '--from', name, ...rest);
    expect(stdout).toContain('bad.example');
    expect(await runAt(['export', '--from', '-', ...rest], {...noServer, folder, stdin: lists[name]})).toMatchObject({status: 0, stdout});
  });

  test.concurrent.each([
    ['--allow-outside', '--allow-outside is for --from'],
    ['--allow-remote-lists', '--allow-remote-lists is for --from'],
    ['--from p.yml --from one.csv', 'p.yml is a policy'],
    ['--from mutes.yml', 'mutes.yml has no rules about domains'],
    ['--from both.yml', 'both.yml has rules about domain_blocks and admin_domain_blocks'],
    ['--from accounts.csv', 'accounts.csv:1: "ana@a.example" is an account, not a domain'],
    ['--from empty.csv', 'The list empty.csv names no domain'],
    ['--from nothing.csv', 'The list nothing.csv is empty'],
    ['--from one.csv --only filters', '--from exports domain blocks only'],
    ['--from one.csv --as mastodon-json', '--from exports domain blocks only'],
    ['--from one.csv --as plain --fields domain,severity', '--fields: plain has no column "severity"'],
    ['--from https://127.0.0.1/l.csv', 'The list https://127.0.0.1/l.csv is not fetched: 127.0.0.1 is not a public address'],
  ])('refuses %s', async (line, message) => {
    const {run} = deskAt(noServer, lists);
    const {status, stdout, stderr} = await run('export', ...line.split(' '));
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain(`Error: ${message}`);
  });
});

test.concurrent('shows in a plan what lists say about a domain, without anything that steers a terminal', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {
    'p.yml': 'version: 1\ndomain_blocks:\n  lists: [{file: l.csv}]\n',
    'l.csv': 'domain,severity,public_comment,private_comment,obfuscate\nbad.example,silence,"spam <b>\n\u001b[2J\u202e",=1+1,true\n',
  });
  const says = String.raw`silence, obfuscate, “spam <b> ␛[2J\u202e”`;
  expect((await run('plan', 'p.yml')).stdout).toBe(`+ domain block bad.example: ${says}  # domain_blocks.lists: l.csv:2\n`);
});

describe('a private comment', () => {
  const files = {
    'p.yml': 'version: 1\ndomain_blocks:\n  must: [{domain: own.example, private_comment: secret 8}]\n  lists: [{file: l.csv}]\n',
    'l.csv': 'domain,severity,public_comment,private_comment\nbad.example,suspend,spam,secret 7\n',
  };
  /** Of the list, and of the policy itself. */
  const secretsIn = (text = '') => ['secret 7', 'secret 8'].filter((secret) => text.includes(secret));
  const reports = ['github', 'html', 'junit', 'markdown', 'sarif', 'json'].map((format) => [format, `${format}.txt`] as const);
  const named = reports.flatMap(([format, file]) => ['--report', `${format}=${file}`]);

  test.concurrent('a private comment is in no report or text, but with --show-private', async () => {
    await using server = await watchedSandbox();
    const {run, folder} = deskAt(server, files);
    const texts = async (...more: string[]) => {
      const [audit, plan, apply] = [
        await run('audit', 'p.yml', ...named, ...more),
        await run('plan', 'p.yml', '--report', 'markdown=plan.md', ...more),
        await run('apply', 'p.yml', '--dry-run', ...more),
      ];
      const written = [...reports.map(([, file]) => file), 'plan.md'];
      return new Map([
        ['audit', audit.stdout + audit.stderr],
        ['plan', plan.stdout + plan.stderr],
        ['apply', apply.stdout + apply.stderr],
        ...written.map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const),
      ]);
    };
    for (const [name, text] of await texts()) expect(secretsIn(text), name).toEqual([]);
    const shown = await texts('--show-private');
    for (const name of ['plan', 'plan.md', ...reports.map(([, file]) => file)]) expect(secretsIn(shown.get(name)), name).toHaveLength(2);
    // What an earlier audit printed as data is not passed on to reports either.
    writeFileSync(join(folder, 'earlier.json'), (await run('audit', 'p.yml', '--json')).stdout);
    expect((await run('domain-blocks', 'add', 'bad.example', '--yes')).status).toBe(0);
    await run('audit', 'p.yml', '--since', 'earlier.json', ...named);
    expect(readFileSync(join(folder, 'json.txt'), 'utf8')).toContain('"resolved"');
    for (const [, file] of reports) expect(secretsIn(readFileSync(join(folder, file), 'utf8')), file).toEqual([]);
  });

  test.concurrent('a private comment is printed in no format, but with --show-private', async () => {
    await using server = await watchedSandbox();
    const {run} = deskAt(server, files);
    const printed = ['', '--json', '-o csv', '-o yaml'];
    for (const line of [
      ...['bad', 'own'].flatMap((name) => ['', '--json'].map((form) => `explain ${name}.example --policy p.yml ${form}`)),
      ...[...printed, '--jq .findings[].details', '--fields details.private_comment'].map((form) => `audit p.yml ${form}`),
      ...[...printed, '--jq .changes[].details', '--fields details.private_comment'].map((form) => `plan p.yml ${form}`),
      ...['', '--json', '--as fediblockhole'].map((form) => `export --from p.yml ${form}`),
      'export --from l.csv',
    ]) {
      const args = line.trim().split(' ');
      const {stdout, stderr} = await run(...args);
      expect(secretsIn(stdout + stderr), args.join(' ')).toEqual([]);
      const [count, domains] = args[0] === 'explain' || args.includes('l.csv') ? [1, '1 domain'] : [2, '2 domains'];
      if (args[0] === 'export')
        expect(stderr).toBe(`Warning: left out, because it is private: private_comment of ${domains}; --show-private includes it\n`);
      const isTable = args.length === 2 && args[0] === 'audit';
      if (!isTable) expect(secretsIn((await run(...args, '--show-private')).stdout), args.join(' ')).toHaveLength(count);
    }
    // What a format has no column for is no secret that a flag would show.
    expect((await run('export', '--from', 'l.csv', '--as', 'mastodon-admin')).stderr).toBe(
      'Warning: left out, because mastodon-admin cannot express it: private_comment of 1 domain\n',
    );
    for (const format of ['table', 'yaml', 'json', 'csv'])
      for (const args of [
        ['diff', 'p.yml', '-o', format],
        ['apply', 'p.yml', '--dry-run', '-o', format],
        ['apply', 'p.yml', '--yes', '-o', format],
        ['domain-blocks', 'contains', 'bad.example', '-o', format],
        ['domain-blocks', 'list', '-o', format],
        ['state', 'list', 'p.yml', '-o', format],
        ['undo', 'p.yml', '--dry-run', '-o', format],
        ['undo', 'p.yml', '--yes', '-o', format],
      ]) {
        const {stdout, stderr} = await run(...args);
        expect(secretsIn(stdout + stderr), args.join(' ')).toEqual([]);
      }
  });
});
