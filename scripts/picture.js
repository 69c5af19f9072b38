/**
 * Draws docs/picture.svg, the picture in the README, from a real run at a terminal against the local test server.
 * It needs `script` of util-linux.
 */
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {root} from './root.js';
import {bin, startSandbox} from './sandbox.js';

const columns = 80;

const policy = `version: 1
domain_blocks:
  must: [scam.example, spam.example]
`;

const commands = ['pixelctl dm list', 'pixelctl plan policy.yml', 'pixelctl apply policy.yml --yes'];

/** What a terminal shows of these commands, with its colours. */
async function record() {
  const sandbox = await startSandbox();
  const home = mkdtempSync(join(tmpdir(), 'pixelctl-picture-'));
  try {
    mkdirSync(join(home, 'bin'));
    writeFileSync(join(home, 'bin/pixelctl'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, {mode: 0o755});
    writeFileSync(join(home, 'policy.yml'), policy);
    const {PIXELCTL_SERVER: server, PIXELCTL_TOKEN: token} = sandbox.settings;
    const env = {PATH: `${home}/bin:${process.env.PATH}`, HOME: home, PIXELCTL_STORAGE: 'file', TERM: 'xterm-256color', LANG: 'C.UTF-8'};
    const options = {cwd: home, env, encoding: 'utf8'};
    spawnSync('pixelctl', ['auth', 'login', server, '--with-token', '--profile', 'ana'], {...options, input: token});
    const {host} = new URL(server);
    return commands.map((command) => {
      const {stdout, error} = spawnSync('script', ['-qec', `stty cols ${columns} rows 50 && ${command}`, '/dev/null'], options);
      if (error) throw error;
      return {
        command,
        output: settled(stdout)
          .replaceAll(`http://${host}`, 'https://pix.example')
          .replaceAll(host, 'pix.example')
          .replaceAll(/--expect=[\da-f]{64}/g, '--expect=DIGEST')
          .trimEnd(),
      };
    });
  } finally {
    sandbox.stop();
    rmSync(home, {recursive: true, force: true});
  }
}

const escape = '\u001b';
const colors = new RegExp(`${escape}\\[([\\d;]*)m`);
const progress = new RegExp(`^.*\r|${escape}\\[\\d*[A-LN-Za-ln-z]`, 'gm');

/** The text that is left on the screen: a progress line is erased before the next one. */
function settled(text) {
  return text.replaceAll('\r\n', '\n').replaceAll(progress, '');
}

const palette = {
  text: '#d7dee8',
  quiet: '#8b98a9',
  background: '#161b22',
  bar: '#21262d',
  31: '#ff7b72',
  32: '#7ee787',
  33: '#f2cc60',
  36: '#79c0ff',
};
const [charWidth, lineHeight, margin, barHeight] = [8.4, 20, 20, 36];

// Renderers differ in how they keep spaces.
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');

/** A line in which colours are escape sequences, as the content of a `text` element. */
function spans(line) {
  let style = {};
  return line
    .split(colors)
    .map((part, index) => {
      if (index % 2 === 1) {
        for (const code of part.split(';').map(Number)) style = nextStyle(style, code);
        return '';
      }
      const attributes = Object.entries(style).map(([name, value]) => ` ${name}="${value}"`);
      return part === '' || attributes.length === 0 ? escaped(part) : `<tspan${attributes.join('')}>${escaped(part)}</tspan>`;
    })
    .join('');
}

function nextStyle(style, code) {
  if (code === 1) return {...style, 'font-weight': 'bold'};
  if (code === 2 || code === 90) return {...style, fill: palette.quiet};
  if (code in palette) return {...style, fill: palette[code]};
  if (code === 22)
    return Object.fromEntries(Object.entries(style).filter(([name, value]) => name !== 'font-weight' && value !== palette.quiet));
  if (code === 39) return Object.fromEntries(Object.entries(style).filter(([name]) => name !== 'fill'));
  return {};
}

function draw(steps) {
  const lines = steps.flatMap(({command, output}, index) => [
    ...(index > 0 ? [''] : []),
    `${escape}[32m$${escape}[39m ${escape}[1m${command}${escape}[22m`,
    ...(output === '' ? [] : output.split('\n')),
  ]);
  const [width, height] = [Math.ceil(columns * charWidth) + 2 * margin, barHeight + lines.length * lineHeight + margin];
  const rows = lines.map((line, index) => `<text x="${margin}" y="${barHeight + (index + 1) * lineHeight - 4}">${spans(line)}</text>`);
  const buttons = ['#ff5f57', '#febc2e', '#28c840'].map((fill, index) => `<circle cx="${20 + index * 18}" cy="18" r="6" fill="${fill}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>pixelctl lists conversations, plans what a policy changes, and applies it</title>
<rect width="100%" height="100%" rx="10" fill="${palette.background}"/>
<path d="M0 ${barHeight}V10A10 10 0 0 1 10 0H${width - 10}A10 10 0 0 1 ${width} 10V${barHeight}Z" fill="${palette.bar}"/>
${buttons.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${palette.text}">
${rows.filter((row) => !row.endsWith('"></text>')).join('\n')}
</g>
</svg>
`;
}

writeFileSync(join(root, 'docs/picture.svg'), draw(await record()));
