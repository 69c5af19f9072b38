/** Finds what can be typed at the end of a command line. Runs on every Tab: it loads no command. */
import type {Argument, CompletionTable, Flag, Node, Value} from './model.js';

interface Offered {
  readonly value: string;
  readonly about: string;
}

export interface Offers {
  /** The start of the word that offers do not repeat: `--output=`, `home,`. */
  readonly lead: string;
  readonly items: readonly Offered[];
  /** Whether files are offered as well. */
  readonly files: boolean;
}

/** What completion looks up, because the table does not have it. */
export interface Known {
  readonly profiles: () => Promise<readonly {readonly name: string; readonly server: string}[]>;
}

const nothing: Offers = {lead: '', items: [], files: false};

const isFlag = (word: string): boolean => word.length > 1 && word.startsWith('-');

/** Reads the words before the current one: the command, its flags and its arguments. */
class Reading {
  readonly #table: CompletionTable;
  #words = '';
  #ended = false;
  #asked: Flag | undefined;
  readonly #typed: string[] = [];
  readonly #given = new Map<string, string[]>();

  constructor(table: CompletionTable) {
    this.#table = table;
  }

  get #node(): Partial<Node<number>> {
    return this.#table.nodes[this.#words] ?? {};
  }

  get #flags(): Flag[] {
    return (this.#node.flags ?? []).flatMap((index) => this.#table.flags[index] ?? []);
  }

  #find(name: string): Flag | undefined {
    return this.#flags.find(({names}) => names.includes(name));
  }

  #note(flag: Flag, value: string | undefined): void {
    const name = flag.names.find((each) => each.startsWith('--')) ?? '';
    this.#given.set(name, [...(this.#given.get(name) ?? []), ...(value === undefined ? [] : [value])]);
  }

  /** Splits a word into a flag and its value; undefined if the word is no flag, or has no value in it. */
  #split(word: string): {readonly flag: Flag; readonly lead: string; readonly value: string} | undefined {
    const [, name = '', value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
    const long = this.#find(name);
    if (long !== undefined && value !== undefined) return {flag: long, lead: `${name}=`, value};
    if (word.startsWith('--')) return undefined;
    // `-vo` are two flags, `-ojson` is one with its value.
    for (let at = 1; at < word.length - 1; at += 1) {
      const flag = this.#find(`-${word.charAt(at)}`);
      if (flag === undefined) return undefined;
      if (flag.value !== undefined) return {flag, lead: word.slice(0, at + 1), value: word.slice(at + 1)};
    }
    return undefined;
  }

  #takeFlag(word: string): void {
    const joined = this.#split(word);
    const names = word.startsWith('--') ? [word] : Array.from((joined?.lead ?? word).slice(1), (letter) => `-${letter}`);
    const flags = joined !== undefined && word.startsWith('--') ? [joined.flag] : names.flatMap((name) => this.#find(name) ?? []);
    for (const flag of flags) this.#note(flag, flag === joined?.flag ? joined.value : undefined);
    const last = flags.at(-1);
    if (joined === undefined && last?.value !== undefined) this.#asked = last;
  }

  #takeWord(word: string): void {
    const below = [this.#words, word.replaceAll(':', ' ')].filter((part) => part !== '').join(' ');
    if (this.#words === '' && word === 'help') return;
    if (this.#typed.length === 0 && !this.#ended && Object.hasOwn(this.#table.nodes, below)) this.#words = below;
    else this.#typed.push(word);
  }

  take(word: string): void {
    if (this.#asked !== undefined) {
      this.#note(this.#asked, word);
      this.#asked = undefined;
    } else if (this.#ended || !isFlag(word)) this.#takeWord(word);
    else if (word === '--') this.#ended = true;
    else this.#takeFlag(word);
  }

  #valuesOf(flag: Flag): readonly string[] {
    return this.#given.get(flag.names.find((each) => each.startsWith('--')) ?? '') ?? [];
  }

  #flagItems(): Offered[] {
    const open = this.#flags.filter(({names, repeats}) => repeats || !this.#given.has(names.find((each) => each.startsWith('--')) ?? ''));
    return open.flatMap(({names, about}) => names.map((value) => ({value, about})));
  }

  async #known(value: Value, {profiles}: Known): Promise<Offered[]> {
    const saved = value.profiles === undefined ? [] : await profiles();
    return [
      ...(value.known ?? []).map((text) => ({value: text, about: ''})),
      ...saved.map(({name, server}) =>
        value.profiles === 'names'
          ? {value: name, about: server.replace(/^https:\/\//, '')}
          : {value: server.replace(/^https:\/\//, ''), about: name},
      ),
    ];
  }

  /** @param taken values that are not offered again */
  async #offersFor(value: Value, text: string, taken: readonly string[], known: Known): Promise<Offers> {
    const {files = false, isList} = value;
    const lead = isList ? text.slice(0, text.lastIndexOf(',') + 1) : '';
    const out = new Set([...taken.flatMap((each) => (isList ? each.split(',') : [each])), ...lead.split(',')]);
    const items = new Map((await this.#known(value, known)).map((item) => [item.value, item]));
    return {lead, items: [...items.values()].filter((item) => !out.has(item.value)), files};
  }

  async #valuesIn(lead: string, flag: Flag, text: string, known: Known): Promise<Offers> {
    const taken = flag.repeats ? this.#valuesOf(flag) : [];
    const offers = await this.#offersFor(flag.value ?? {}, text, taken, known);
    return {...offers, lead: lead + offers.lead};
  }

  /** What can stand in the place of an argument. */
  async #argument(current: string, known: Known): Promise<Offers> {
    const {next = {}, arguments: args = []} = this.#node;
    const last = args.at(-1);
    const argument: Argument | undefined = args[this.#typed.length] ?? (last?.repeats ? last : undefined);
    const words = this.#typed.length === 0 && !this.#ended ? Object.entries(next).map(([value, about]) => ({value, about})) : [];
    if (argument === undefined) {
      // Where no word can follow, Tab shows the flags.
      const items = words.length === 0 && current === '' && !this.#ended ? this.#flagItems() : words;
      return {...nothing, items};
    }
    const offers = await this.#offersFor(argument, current, argument.repeats ? this.#typed : [], known);
    return {...offers, items: [...words, ...offers.items]};
  }

  offers(current: string, known: Known): Promise<Offers> | Offers {
    if (this.#asked !== undefined) return this.#valuesIn('', this.#asked, current, known);
    if (this.#ended || !current.startsWith('-')) return this.#argument(current, known);
    const joined = this.#split(current);
    if (joined !== undefined) return this.#valuesIn(joined.lead, joined.flag, joined.value, known);
    return {...nothing, items: this.#flagItems()};
  }
}

/**
 * @param words those before the current one, without the program's name
 * @param current the word up to the cursor
 */
export async function completionsFor(table: CompletionTable, words: readonly string[], current: string, known: Known): Promise<Offers> {
  const reading = new Reading(table);
  for (const word of words) reading.take(word);
  return reading.offers(current, known);
}
