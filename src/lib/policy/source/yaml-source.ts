/** A YAML or JSON file with the lines of its parts. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
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

  /**
   * Removes the parts at some paths, or the parts in which something is missing there. The places of the rest do not change.
   * @returns false if nothing was removed, because no part was found, or an alias may stand for one
   */
  leaveOut(paths: readonly (readonly PropertyKey[])[]): boolean {
    const parts = new Set<unknown>(paths.map((path) => findPart(this.#document.contents, path)));
    parts.delete(undefined);
    if (parts.size === 0 || this.#aliases > 0) return false;
    const leaveOutPart = (_: unknown, part: unknown) => (parts.has(part) ? visit.REMOVE : undefined);
    visit(this.#document, {Pair: leaveOutPart, Node: leaveOutPart});
    return true;
  }

  /** The place of the value at a path, or of the nearest one around it; with a key, the place of that key in it. */
  location(path: readonly PropertyKey[], key?: string, root: unknown = this.#document.contents): Location {
    const part = findPart(root, path) ?? root;
    const node = isPair(part) ? part.value : part;
    const found = (key !== undefined && isMap(node) && pairIn(node, key)?.key) || node;
    return isNode(found) ? this.#placeOf(found) : {file: this.file, line: 1, column: 1};
  }

  /** The parts at some paths as one: lists are joined, maps are merged, and of other values the last one counts. Undefined: none is there. */
  merge(paths: readonly (readonly PropertyKey[])[]): Part | undefined {
    const found = paths.flatMap(
      (path) => path.reduce<unknown>((node, name) => valueIn(this.#resolve(node), name), this.#document.contents) ?? [],
    );
    const node = found.reduce<unknown>((one, other) => this.#mergeNodes(one, other), undefined);
    if (!isNode(node)) return undefined;
    const value: unknown = parseOrRefuse(this.file, (): unknown => node.toJS(this.#document));
    return {value, at: (path) => this.location(path, undefined, node)};
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  #mergeNodes(base: unknown, own: unknown): unknown {
    const [one, other] = [this.#resolve(base), this.#resolve(own)];
    if (isSeq(one) && isSeq(other)) {
      const all = new YAMLSeq();
      all.items = [...one.items, ...other.items];
      return all;
    }
    // A list of domains in place of a map is short for the map that has them.
    if (isSeq(one) && isMap(other)) return this.#mergeNodes(withDomains(one), other);
    if (isMap(one) && isSeq(other)) return this.#mergeNodes(one, withDomains(other));
    if (!isMap(one) || !isMap(other)) return other;
    const all = new YAMLMap();
    all.range = other.range ?? null;
    const merged = other.items.map((pair) => {
      const same = isScalar(pair.key) && pairIn(one, String(pair.key.value));
      return same ? new Pair(pair.key, this.#mergeNodes(same.value, pair.value)) : pair;
    });
    const names = new Set(other.items.map(({key}) => String(key)));
    all.items = [...one.items.filter(({key}) => !names.has(String(key))), ...merged];
    return all;
  }
}

/** A part of the document as data, and where the values in it are. */
export interface Part {
  readonly value: unknown;
  /** @param path within the part */
  readonly at: (path: readonly PropertyKey[]) => Location;
}

const pairIn = ({items}: YAMLMap, name: PropertyKey): Pair | undefined => items.find(({key}) => isScalar(key) && key.value === name);

const valueIn = (node: unknown, name: PropertyKey): unknown =>
  isMap(node) ? pairIn(node, name)?.value : isSeq(node) ? node.items[Number(name)] : undefined;

function withDomains(list: YAMLSeq): YAMLMap {
  const map = new YAMLMap();
  map.items = [new Pair(new Scalar('domains'), list)];
  return map;
}

/** The pair of a map or the item of a list at a path; if it is not there, the last one on the way to it. */
function findPart(root: unknown, path: readonly PropertyKey[]): unknown {
  let part: unknown;
  let node = root;
  for (const name of path) {
    const inner = isMap(node) ? pairIn(node, name) : valueIn(node, name);
    if (inner === undefined) break;
    part = inner;
    node = isPair(inner) ? inner.value : inner;
  }
  return part;
}
