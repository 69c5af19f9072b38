/** Writes the sections of docs/mutation.md: one for each room, and one for code that no test runs. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parse} from 'yaml';
import {root} from '../root.js';

const page = join(root, 'docs/mutation.md');

/**
 * Why survivors change nothing that anybody can see, by room; and why no test can run some code: `unreached`.
 * @param name of a file in `test/mutation`
 */
function reasonsIn(name) {
  const path = join(root, `test/mutation/${name}.yaml`);
  const byFile = existsSync(path) ? (parse(readFileSync(path, 'utf8')) ?? {}) : {};
  return Object.entries(byFile).flatMap(([file, reasons]) => reasons.map((reason) => ({file, nth: 1, ...reason})));
}

/** Long code is cut: what is mutated stands at its start, or it is whole blocks. */
const maxCode = 90;
const short = (text) => (text.length > maxCode ? `${text.slice(0, maxCode - 2)} …` : text);
const shown = (text) => (text.includes('`') ? `\`\` ${short(text)} \`\`` : `\`${short(text)}\``).replaceAll('|', '\\|');

const isOf = (reason, {file, code, nth}) => reason.file === file && reason.nth === nth && short(reason.code) === short(code);
const isOfMutant = (reason, mutant) => isOf(reason, mutant) && reason.mutation === mutant.mutation;

/** @returns the reasons of a room that are of none of its mutants */
export const surplusReasons = (room, mutants) => reasonsIn(room).filter((reason) => !mutants.some((mutant) => isOfMutant(reason, mutant)));

/** Wilson's interval: the part of all mutants that would be killed, as the ones that were drawn show it. */
function interval(killed, tried) {
  const [z, share] = [1.96, killed / tried];
  const middle = share + z ** 2 / (2 * tried);
  const width = z * Math.sqrt((share * (1 - share)) / tried + z ** 2 / (4 * tried ** 2));
  return [middle - width, middle + width].map((value) => value / (1 + z ** 2 / tried));
}

const percent = (share) => (share * 100).toFixed(1);

/** How many groups of tests there are. */
const allGroups = 4;

function figures(room, {all, drawn, killed, seed, groups}) {
  const by = groups < allGroups ? ` by group 1${groups > 1 ? ` to ${groups}` : ''} of ${allGroups}` : '';
  const score = `${killed} of ${drawn} killed${by}: ${percent(killed / drawn)} %`;
  if (drawn === all) return `All ${all} mutants of \`src/lib/${room}\` were tried: ${score}.`;
  const [low, high] = interval(killed, drawn).map(percent);
  return `Of the ${all} mutants of \`src/lib/${room}\` ${drawn} were drawn (seed ${seed}): ${score} (95 % interval: ${low} to ${high}).`;
}

/** @param survivors `{mutant, isReached}` */
function sectionOf(room, numbers, survivors) {
  const reasons = reasonsIn(room);
  const reasonOf = (mutant) => reasons.find((reason) => isOfMutant(reason, mutant))?.reason;
  const rows = survivors.map(({mutant, isReached}) => {
    const why = reasonOf(mutant) ?? (isReached ? 'not killed yet' : 'no test runs it yet');
    return `| ${placeIn(mutant.file)}:${mutant.line} | ${shown(mutant.code)} | ${shown(mutant.mutation)} | ${why} |`;
  });
  const table = rows.length === 0 ? [] : ['', '| place | code | mutant | why it survives |', '|---|---|---|---|', ...rows];
  return [`## ${room}`, '', figures(room, numbers), ...table, ''].join('\n');
}

const placeIn = (file) => file.replace(/^src\/(lib\/)?/, '');

const unreachedTitle = 'Code that no test runs';
const lastTitle = `## ${unreachedTitle}\n`;

/** What no test can run. Lines are not named, because this is not written anew when they move. */
export function unreachedTable() {
  const rows = reasonsIn('unreached').map(({file, code, reason}) => `| ${placeIn(file)} | ${shown(code)} | ${reason} |`);
  return ['| file | code | why no test runs it |', '|---|---|---|', ...rows, ''].join('\n');
}

/** @param parts of the source @returns those that are not listed, and what of the list is none of them */
export function heldAgainstList(parts) {
  const listed = reasonsIn('unreached');
  return {
    unlisted: parts.filter((part) => !listed.some((reason) => isOf(reason, part))),
    surplus: listed.filter((reason) => !parts.some((part) => isOf(reason, part))),
  };
}

/** Replaces a section of the page, or adds it before the last one; the others are of other runs. */
function replaceSection(title, section) {
  const text = readFileSync(page, 'utf8');
  const old = new RegExp(`^## ${title}\\n[^]*?(?=^## |(?![^]))`, 'm');
  const written = old.test(text) ? text.replace(old, () => `${section}\n`) : text.replace(lastTitle, () => `${section}\n${lastTitle}`);
  writeFileSync(page, written.trimEnd() + '\n');
}

export const writeSection = (room, numbers, survivors) => replaceSection(room, sectionOf(room, numbers, survivors));

/** @param all how many parts the source has @param left how many no test runs, without those in the table */
export function writeUnreached({all, left}) {
  const text = `Of ${all} functions, branches and defaults of the source, no test of any layer runs ${left}, which \`npm run unreached\` names, and these:`;
  replaceSection(unreachedTitle, [`## ${unreachedTitle}`, '', text, '', unreachedTable()].join('\n'));
}
