/** A YAML or JSON file with the lines of its parts. */
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import {Failure} from '../../client/failure.js';
import type {Location} from './location.js';
import {Mistakes, refuseMistakes} from './mistakes.js';

/** How the parser reports that its stack is full: once for every level that it comes back from. */
const tooDeep = 'Maximum call stack size exceeded';

function plainMessage(message: string): string {
  if (message === tooDeep) return 'it is nested too deeply from here on';
  if (message.startsWith('Source contains multiple documents')) return 'a second document begins here; a policy is one document';
  const [, tag] = /^Unresolved tag: (.*)$/.exec(message) ?? [];
  return tag === undefined
    ? message
    : `the tag ${tag.replace('tag:yaml.org,2002:', '!!')} is not allowed here: write a plain map, list or value`;
}

/** The most characters of a file: some 450,000 accounts, which take ten seconds to parse. */
const maxLength = 16 * 1024 ** 2;

/** How many characters the parser may search to resolve aliases: it searches the whole text for each of them. */
const maxSearched = 50_000_000;

/** @throws Failure `usage` when the parser throws an error instead of listing it */
function parseOrRefuse<Value>(file: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new Failure('usage', `${file} cannot be read: its aliases expand too far, or it is nested too deeply`, {cause: error});
  }
}

export class YamlSource {
  readonly file: string;
  readonly #length: number;
  readonly #lines = new LineCounter();
  readonly #document: Document;
  #aliases = 0;

  /** @throws Failure `usage` when it is too large, or nested so deeply that the parser cannot say where */
  constructor(text: string, file: string) {
    if (text.length > maxLength) throw new Failure('usage', `${file} is larger than ${maxLength / 1024 ** 2} MiB, too large for a policy`);
    this.file = file;
    this.#length = text.length;
    this.#document = parseOrRefuse(file, () =>
      parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        // The parser would compare each key with every other one, which takes too long. Repeated keys are found below.
        uniqueKeys: false,
        // The version that a file declares must not change the schema: a `!!set` or `!!omap` would pass for a rule without entries.
        schema: 'core',
        resolveKnownTags: false,
      }),
    );
  }

  /** Adds the errors of the parser; without any, keys that a map has twice, and words that begin with `*`, which YAML reads as references. */
  #addMistakes(found: Mistakes): void {
    const {errors, warnings} = this.#document;
    const deep = errors.find(({message}) => message === tooDeep);
    for (const {message, pos} of deep === undefined ? [...errors, ...warnings] : [deep])
      found.add(this.#placeAt(pos[0]), () => plainMessage(message));
    if (found.count > 0) return;
    const anchors = new Set<string>();
    visit(this.#document, {
      Map: (_, {items}) => {
        const known = new Set<unknown>();
        for (const {key} of items) {
          if (!isScalar(key)) continue;
          if (known.has(key.value)) found.add(this.#placeOf(key), () => 'Map keys must be unique');
          known.add(key.value);
        }
      },
    });
    visit(this.#document, {
      Node: (_, node) => {
        if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
      },
      Alias: (_, alias) => {
        this.#aliases += 1;
        const message = `YAML reads *${alias.source} as an alias: put text that begins with * in quotes`;
        if (!anchors.has(alias.source)) found.add(this.#placeOf(alias), () => message);
      },
    });
  }

  #placeAt(offset: number): Location {
    const {line, col} = this.#lines.linePos(offset);
    return {file: this.file, line, column: col};
  }

  #placeOf({range}: Node): Location {
    return this.#placeAt(range?.[0] ?? 0);
  }

  /** @throws Failure `usage` with every mistake of its syntax; when its aliases expand too far, or it is nested too deeply */
  get value(): unknown {
    const found = new Mistakes();
    this.#aliases = 0;
    this.#addMistakes(found);
    refuseMistakes(this.file, found);
    if (this.#aliases * this.#length > maxSearched)
      throw new Failure('usage', `${this.file} cannot be read: it has too many aliases for its size`);
    return parseOrRefuse(this.file, (): unknown => this.#document.toJS());
  }

  /** The pair of a map or the item of a list at a path; if it is not there, the last one on the way to it. */
  #findPart(path: readonly PropertyKey[]): unknown {
    let part: unknown;
    let node: unknown = this.#document.contents;
    for (const name of path) {
      const inner = isMap(node) ? pairIn(node, name) : isSeq(node) ? node.items[Number(name)] : undefined;
      if (inner === undefined) break;
      part = inner;
      node = isPair(inner) ? inner.value : inner;
    }
    return part;
  }

  /**
   * Removes the parts at some paths, or the parts in which something is missing there. The places of the rest do not change.
   * @returns false if nothing was removed, because no part was found, or an alias may stand for one
   */
  leaveOut(paths: readonly (readonly PropertyKey[])[]): boolean {
    const parts = new Set<unknown>(paths.map((path) => this.#findPart(path)));
    parts.delete(undefined);
    if (parts.size === 0 || this.#aliases > 0) return false;
    const leaveOutPart = (_: unknown, part: unknown) => (parts.has(part) ? visit.REMOVE : undefined);
    visit(this.#document, {Pair: leaveOutPart, Node: leaveOutPart});
    return true;
  }

  /** The place of the value at a path, or of the nearest one around it; with a key, the place of that key in it. */
  location(path: readonly PropertyKey[], key?: string): Location {
    const part = this.#findPart(path) ?? this.#document.contents;
    const node = isPair(part) ? part.value : part;
    const found = (key !== undefined && isMap(node) && pairIn(node, key)?.key) || node;
    return isNode(found) ? this.#placeOf(found) : {file: this.file, line: 1, column: 1};
  }
}

const pairIn = ({items}: YAMLMap, name: PropertyKey): Pair | undefined => items.find(({key}) => isScalar(key) && key.value === name);
