/** What users set around the program, and how it ends. */
import {exitStatuses} from '../dist/lib/cli/errors.js';
import {fence, notice, paragraphs, table} from './markdown.js';

/** Variables that no flag stands for. Text in backticks is code. */
const others = {
  PIXELCTL_TOKEN: 'the access token; it is sent only to the server of `PIXELCTL_SERVER` where that is set',
  PIXELCTL_TOKEN_FILE: 'a file with the access token; used when `PIXELCTL_TOKEN` is not set',
  PIXELCTL_PROFILES:
    'names of profiles, separated by commas, each with a server and a token in the variables below; saved profiles are then not read',
  'PIXELCTL_SERVER_NAME, PIXELCTL_TOKEN_NAME':
    'server and token of a profile in `PIXELCTL_PROFILES`: its name in upper case, with `_` for `-` and `.`',
  PIXELCTL_STORAGE: 'where tokens are stored: `keyring` or `file`',
  PIXELCTL_CONFIG_DIR: 'the folder of profiles and tokens',
  FORCE_COLOR: 'colors even in a pipe',
  COLUMNS: 'the width of tables, instead of that of the terminal',
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY': 'as usual, for `http://` and `https://` proxies; loopback never uses a proxy',
  'NODE_EXTRA_CA_CERTS, SSL_CERT_FILE': 'files with certificate authorities to trust as well, as with `--cacert`',
  NODE_TLS_REJECT_UNAUTHORIZED: '`0`: certificates are not checked, which every run says and `doctor` reports',
};

/** Where files are, unless a variable names another place. */
export const files = [
  ['`~/.config/pixelctl`', 'profiles and tokens on Linux, or below `XDG_CONFIG_HOME`'],
  ['`~/Library/Application Support/pixelctl`', 'the same on macOS'],
  ['`%LOCALAPPDATA%\\pixelctl`', 'the same on Windows; caches too'],
  ['`profiles.json`', 'in that folder: everything except the secrets'],
  ['`secrets.json`', 'in that folder: the secrets that are in no keyring'],
  ['`~/.cache/pixelctl`', 'caches, or below `XDG_CACHE_HOME`; they can be removed at any time'],
];

/** Variables with what they do: those that stand for a flag say so in its description. */
export function variablesOf({commands}) {
  const flags = new Map(Object.values(commands).flatMap((command) => Object.values(command.flags).map((flag) => [flag.name, flag])));
  const ofFlags = [...flags.values()].flatMap(({name, description = ''}) => {
    const [, variable, given] = /\(environment: (\w+)(?:=(\w+))?\)/.exec(description) ?? [];
    return variable === undefined || variable in others
      ? []
      : [[variable, `${given === undefined ? '' : `\`${given}\`: `}same as \`--${name}\``]];
  });
  return [...ofFlags, ...Object.entries(others)].map(([names, text]) => [names.replaceAll(/\w+/g, '`$&`'), text]);
}

/** The page about environment variables and files. */
export function environmentPage(manifest) {
  return `${paragraphs(
    notice,
    '# Environment',
    '## Variables',
    'Flags take precedence over variables, and variables over a saved profile.',
    table(['variable', ''], variablesOf(manifest)),
    '## Files',
    table(['place', ''], files),
  )}\n`;
}

const example =
  '{"error": {"code": "not_found", "exit": 4, "message": "…", "status": 404, "method": "GET", "path": "/api/v2/filters/99", "hint": "…"}}';

export const aboutExitStatus = 'Every kind of failure has a number of its own. None changes its meaning from one version to the next.';

/** The status of each ending, its code and what it means. */
export const exitStatusRows = [
  ['0', '', 'done'],
  ...Object.entries(exitStatuses).map(([code, {status, meaning}]) => [`${status}`, `\`${code}\``, meaning]),
];

/** The page about exit status: what a script asks first when a command failed. */
export function exitStatusPage() {
  const text = paragraphs(
    notice,
    '# Exit status',
    aboutExitStatus,
    table(['status', 'code', 'meaning'], exitStatusRows),
    'With `--json` an error is one line of JSON on standard error, and `code` is the word from the table:',
    fence(example, 'json'),
    'Its members are described under [JSON](json.md#error). Standard output stays empty then. Only a run with several targets (11) prints there what it has: one result for each.',
  );
  return `${text}\n`;
}
