/** Writes the section of a room in docs/mutation.md. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parse} from 'yaml';
import {root} from '../root.js';

const page = join(root, 'docs/mutation.md');

/** Why survivors change nothing that anybody can see: `test/mutation/ROOM.yaml`. */
function reasonsFor(room) {
  const path = join(root, `test/mutation/${room}.yaml`);
  const byFile = existsSync(path) ? (parse(readFileSync(path, 'utf8')) ?? {}) : {};
  return Object.entries(byFile).flatMap(([file, reasons]) => reasons.map((reason) => ({file, nth: 1, ...reason})));
}

/** Long code is cut: what is mutated stands at its start, or it is whole blocks. */
const maxCode = 90;
const short = (text) => (text.length > maxCode ? `${text.slice(0, maxCode - 2)} …` : text);
const shown = (text) => (text.includes('`') ? `\`\` ${short(text)} \`\`` : `\`${short(text)}\``).replaceAll('|', '\\|');

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
  const reasons = reasonsFor(room);
  const reasonOf = ({file, code, mutation, nth}) => {
    const found = reasons.find(
      (reason) => reason.file === file && reason.nth === nth && short(code) === short(reason.code) && reason.mutation === mutation,
    );
    return found?.reason;
  };
  const rows = survivors.map(({mutant, isReached}) => {
    const why = reasonOf(mutant) ?? (isReached ? 'not killed yet' : 'no test runs it yet');
    return `| ${mutant.file.slice('src/lib/'.length)}:${mutant.line} | ${shown(mutant.code)} | ${shown(mutant.mutation)} | ${why} |`;
  });
  const table = rows.length === 0 ? [] : ['', '| place | code | mutant | why it survives |', '|---|---|---|---|', ...rows];
  return [`## ${room}`, '', figures(room, numbers), ...table, ''].join('\n');
}

/** Replaces the section of a room; other rooms have theirs from other runs. */
export function writeSection(room, numbers, survivors) {
  const text = readFileSync(page, 'utf8');
  const section = sectionOf(room, numbers, survivors);
  const old = new RegExp(`^## ${room}\\n[^]*?(?=^## |(?![^]))`, 'm');
  if (!old.test(text)) throw new Error(`${page} has no section of ${room}`);
  writeFileSync(page, text.replace(old, () => `${section}\n`).trimEnd() + '\n');
}
