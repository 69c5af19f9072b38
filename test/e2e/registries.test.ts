/** The name `pixelctl` is not ours in any registry: whoever registers it there would get the tokens of those who install it. */
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Programs that install from a registry or run what is in one, and what may follow before the name. */
const installers = [
  String.raw`npx|bunx|pnpx|uvx|pipx(?: run| install)?`,
  String.raw`(?:npm|pnpm|bun|cnpm)\s+(?:i|in|install|add|x|exec|dlx|create|init|update|up|view|pack)`,
  String.raw`yarn\s+(?:global\s+)?(?:add|dlx)`,
  String.raw`(?:brew|apt|apt-get|dnf|yum|apk|pacman|zypper|snap|flatpak|choco|scoop|winget|port|cargo|gem|pip3?)\s+(?:install|add|-S)`,
  String.raw`go\s+install|nix-env\s+-i\w*|deno\s+(?:install|run)`,
  String.raw`(?:docker|podman|nerdctl)\s+(?:run|pull|create)`,
].join('|');

/** The bare name, perhaps with a version; no path, address, file or owner is around it. */
const bareName = new RegExp(
  String.raw`\b(?:${installers})(?:\s+(?!pixelctl)[^\s;&|'"${'`'}]+)*\s+["'${'`'}]?(?:npm:|docker\.io/(?:library/)?)?pixelctl(?:[@:][^\s"'${'`'}]*)?(?=["'${'`'}]?(?:[\s;&|).,]|$))`,
);

/** A dependency of that name: `"pixelctl": "^1.0.0"`, `uses: docker://pixelctl`, `image: pixelctl`, `FROM pixelctl`. */
const dependency = /"pixelctl":\s*"(?:[\^~>=*\d]|latest)|docker:\/\/pixelctl\b|^\s*(?:image|FROM):?\s+["']?pixelctl\b/m;

const installsBareName = (text: string): string[] =>
  text.split('\n').filter((line) => (bareName.test(line) && !/\buninstall\b/.test(line)) || dependency.test(line));

test('no file installs the bare name from a registry', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {cwd: root, encoding: 'utf8'});
  const files = listed.split('\n').filter((file) => file !== '' && !file.startsWith('test/') && existsSync(join(root, file)));
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.flatMap((file) => installsBareName(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`)),
  ).toEqual([]);
});
