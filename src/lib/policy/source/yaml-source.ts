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
  readonly value: unknown;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  /** @throws Failure `usage` with every mistake of its syntax; when it is too large, its aliases expand too far, or it is nested too deeply */
  constructor(text: string, file: string) {
    if (text.length > maxLength) throw new Failure('usage', `${file} is larger than ${maxLength / 1024 ** 2} MiB, too large for a policy`);
    this.file = file;
    this.#document = parseOrRefuse(file, () => {
      const document = parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        // The parser would compare each key with every other one, which takes too long. Repeated keys are found below.
        uniqueKeys: false,
        // The version that a file declares must not change the schema: a `!!set` or `!!omap` would pass for a rule without entries.
        schema: 'core',
        resolveKnownTags: false,
      });
      const deep = document.errors.find(({message}) => message === tooDeep);
      if (deep !== undefined) throw deep;
      return document;
    });
    const aliases = this.#refuseSyntax();
    if (aliases * text.length > maxSearched) throw new Failure('usage', `${file} cannot be read: it has too many aliases for its size`);
    this.value = parseOrRefuse(file, (): unknown => this.#document.toJS());
  }

  /**
   * Refuses what the parser does not take; else keys that a map has twice, and words that begin with `*`, which YAML reads as references.
   * @returns the number of aliases
   */
  #refuseSyntax(): number {
    const found = new Mistakes();
    const {errors, warnings} = this.#document;
    for (const {message, pos} of [...errors, ...warnings]) {
      const isSecond = message.startsWith('Source contains multiple documents');
      found.add(this.#placeAt(pos[0]), () => (isSecond ? 'a second document begins here; a policy is one document' : message));
    }
    refuseMistakes(this.file, found);
    const anchors = new Set<string>();
    let aliases = 0;
    visit(this.#document, {
      Node: (_, node) => {
        if (!isAlias(node)) {
          if (node.anchor !== undefined) anchors.add(node.anchor);
          if (isMap(node)) this.#findRepeated(node, found);
          return;
        }
        aliases += 1;
        const message = `YAML reads *${node.source} as an alias: put text that begins with * in quotes`;
        if (!anchors.has(node.source)) found.add(this.#placeOf(node), () => message);
      },
    });
    refuseMistakes(this.file, found);
    return aliases;
  }

  #findRepeated({items}: YAMLMap<unknown, unknown>, found: Mistakes): void {
    const known = new Set<unknown>();
    for (const {key} of items) {
      if (!isScalar(key)) continue;
      if (known.has(key.value)) found.add(this.#placeOf(key), () => 'Map keys must be unique');
      known.add(key.value);
    }
  }

  #placeAt(offset: number): Location {
    const {line, col} = this.#lines.linePos(offset);
    return {file: this.file, line, column: col};
  }

  #placeOf({range}: Node): Location {
    return this.#placeAt(range?.[0] ?? 0);
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
