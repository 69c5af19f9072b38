/** Makes the text of a server harmless at a terminal: control characters and invisible characters are shown as escapes. */

/**
 * Controls (C0 but tab and line feed, DEL, C1), direction marks, overrides and isolates, line separators, lone surrogates, and
 * invisible characters: zero-width characters, fillers, tags. Listed by number, because Unicode properties take a millisecond to compile.
 */
const basic = [
  String.raw`\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164`,
  String.raw`\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`,
].join('');
const active = String.raw`${basic}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;

const anyActive = new RegExp(`[${active}]`, 'u');

/** The same, or half of any character beyond the first 65,536: without Unicode's rules a pattern is several times as fast. */
const maybeActive = new RegExp(`[${basic}]`);

/** Anything but printable ASCII and the quotes around comments. Most texts have none, and this test is the fastest. */
const unusual = /[^ -~“”]/;

/** Scripts in which a joiner or non-joiner between two letters changes their shape. */
const joiningScripts =
  'Adlm Arab Bali Beng Cham Deva Gran Gujr Guru Java Khmr Knda Lana Mand Mani Mlym Mong Mymr Newa Nkoo Orya Phag Phlp Rohg Sinh Sogd Sund Syrc Taml Telu Tibt';

/** Makes a pattern of invisible characters that stay, because they change a visible one. */
function keptSequences(): string {
  const joiningLetter = `[[\\p{L}\\p{M}]&&[${joiningScripts.replaceAll(/(\w+) ?/g, String.raw`\p{scx=$1}`)}]]`;
  return [
    // The flag of a region: a black flag, its code in tags, and a terminator.
    String.raw`\u{1f3f4}[\u{e0061}-\u{e007a}]{2}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,3}\u{e007f}`,
    // Joiners in an emoji sequence, such as a family.
    String.raw`(?<=\p{ExtPict}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)[\u200c\u200d](?=\p{ExtPict})`,
    `(?<=${joiningLetter})[\\u200c\\u200d](?=${joiningLetter})`,
    // One variation selector after an emoji, an ideograph or a Mongolian letter.
    String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Ideographic})[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]|(?<=\p{scx=Mong})[\u180b-\u180d\u180f]`,
  ].join('|');
}

/** Our own escape sequences: colours and styles, and the one that clears the line of the progress bar. */
const ownSequences = String.raw`\u001b\[(?:[0-4]|2[2-4]|3[1-6]|39|90)?m|\r\u001b\[K`;

const own = new RegExp(ownSequences, 'g');

const lineEnd = String.raw`\r\n`;

/** Patterns of what stays unchanged in each kind of text. They are compiled on first use, since most runs need none of them. */
const passing = {text: [], data: [lineEnd], painted: [lineEnd, ownSequences]} as const;
const patterns = new Map<keyof typeof passing, RegExp>();

function patternFor(name: keyof typeof passing): RegExp {
  const known = patterns.get(name);
  if (known !== undefined) return known;
  const passed = [...passing[name], keptSequences()].join('|');
  // One match has many characters, because each match takes memory, but not all characters, because backtracking takes memory, too.
  const pattern = new RegExp(`(${passed})|\\r\\n|(?:(?!${passed}|\\r\\n)[${active}]){1,4096}`, 'gv');
  patterns.set(name, pattern);
  return pattern;
}

const maxPieces = 1000;

/** `replaceAll` with a function would hold every match until the end: a gigabyte for 15 MB of control characters. */
function replaceActive(text: string, name: keyof typeof passing, show: (found: string) => string): string {
  if (!isActive(text)) return text;
  const parts: string[] = [];
  let pieces: string[] = [];
  let end = 0;
  for (const {0: found, 1: passed, index} of text.matchAll(patternFor(name))) {
    pieces.push(text.slice(end, index), passed ?? (found === '\r\n' ? show(found) : Array.from(found, show).join('')));
    end = index + found.length;
    if (pieces.length < maxPieces) continue;
    parts.push(pieces.join(''));
    pieces = [];
  }
  parts.push(...pieces, text.slice(end));
  return parts.join('');
}

/** Whether {@link inertData} may change the text. */
export function isActive(text: string): boolean {
  return maybeActive.test(text) && anyActive.test(text);
}

/**
 * Text of a server for people: control characters and invisible characters become visible, escape as `␛`, an override as `\u202e`.
 * Tabs and line breaks become spaces.
 * @param options.keepLines keeps line breaks
 */
export function inert(text: string, {keepLines = false}: {readonly keepLines?: boolean} = {}): string {
  if (!unusual.test(text)) return text;
  return replaceActive(text, 'text', showControl).replaceAll(/[\t\n]/g, (found) => (keepLines && found === '\n' ? found : ' '));
}

/** Data for a terminal: control characters and invisible characters become `\\u` escapes, which does not change JSON. Keeps tabs and newlines. */
export function inertData(text: string): string {
  return replaceActive(text, 'data', escapeUnits);
}

/** Escapes active characters in painted text for a terminal, except our own colours. The texts of servers in it are inert already. */
export function inertPainted(text: string): string {
  // Most painted text has no other active characters, and compiling the full pattern takes longer than printing a table.
  const withoutOwn = text.includes('\u001b') ? text.replaceAll(own, ' ') : text;
  return isActive(withoutOwn) ? replaceActive(text, 'painted', escapeUnits) : text;
}

/**
 * Text that CI systems take for commands in the output of a job: `::error::` at the start of a line, `##[error]` anywhere, and those of
 * Azure, TeamCity and GitLab.
 */
const jobCommand = /^(?:[^\S\n\r\u2028\u2029]*:(?=:)|section_(?:start|end)(?=:))|#(?=#(?:\[|vso\[|teamcity\[))/gim;

/** Puts spaces into the marks of commands, so that no CI system finds a command in text for people. */
export function withoutCommands(text: string): string {
  return text.replaceAll(jobCommand, '$& ');
}

const symbolForNull = 0x24_00;
const symbolForDelete = '\u2421';

function showControl(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\r\n') return '\n';
  if (code < 0x20) return String.fromCharCode(symbolForNull + code);
  if (code === 0x7f) return symbolForDelete;
  if (!character.isWellFormed()) return '\ufffd';
  return character.length === 1 ? escapeUnits(character) : String.raw`\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Escapes a character as JSON does. One that takes two UTF-16 units becomes two escapes. */
function escapeUnits(character: string): string {
  let units = '';
  for (let at = 0; at < character.length; at++) units += String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return units;
}
