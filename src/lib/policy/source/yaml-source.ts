/** A YAML or JSON file with the lines of its parts. */
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
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

export class YamlSource {
  readonly value: unknown;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  /** @throws Failure `usage` with every mistake of its syntax; when it is too large, or nested too deeply */
  constructor(
    text: string,
    readonly file: string,
  ) {
    if (text.length > maxLength) throw new Failure('usage', `${file} is larger than ${maxLength / 1024 ** 2} MiB, too large for a policy`);
    try {
      this.#document = parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        // The parser would compare each key with every other one, which takes too long. Repeated keys are found below.
        uniqueKeys: false,
        // The version that a file declares must not change the schema: a `!!set` or `!!omap` would pass for a rule without entries.
        schema: 'core',
        resolveKnownTags: false,
      });
      this.#refuseSyntax();
      this.value = this.#document.toJS();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Failure('usage', `${file} cannot be read: it is nested too deeply`, {cause: error});
    }
  }

  /** Refuses what the parser does not take; else keys that a map has twice, and references, which YAML reads in words that begin with `*`. */
  #refuseSyntax(): void {
    const found = new Mistakes();
    const {errors, warnings} = this.#document;
    for (const {message, pos} of [...errors, ...warnings]) {
      if (message === tooDeep) throw new RangeError(message);
      const isSecond = message.startsWith('Source contains multiple documents');
      found.add(this.#placeAt(pos[0]), () => (isSecond ? 'a second document begins here; a policy is one document' : message));
    }
    refuseMistakes(this.file, found);
    visit(this.#document, {
      Alias: (_, node) =>
        found.add(this.#placeOf(node), () => `YAML reads *${node.source} as an alias: put text that begins with * in quotes`),
      Map: (_, {items}) => {
        const known = new Set<unknown>();
        for (const {key} of items) {
          if (!isScalar(key)) continue;
          if (known.has(key.value)) found.add(this.#placeOf(key), () => 'Map keys must be unique');
          known.add(key.value);
        }
      },
    });
    refuseMistakes(this.file, found);
  }

  #placeAt(offset: number): Location {
    const {line, col} = this.#lines.linePos(offset);
    return {file: this.file, line, column: col};
  }

  #placeOf(node: unknown): Location {
    return this.#placeAt((isNode(node) && node.range?.[0]) || 0);
  }

  /** The place of the value at a path, or of the nearest one around it; with a key, the place of that key in it. */
  location(path: readonly PropertyKey[], key?: string, root: unknown = this.#document.contents): Location {
    let node = root;
    for (const name of path) {
      const inner = valueIn(node, name);
      if (inner === undefined) break;
      node = inner;
    }
    const named = key !== undefined && isMap(node) ? node.items.find((pair) => nameOf(pair) === key)?.key : undefined;
    return this.#placeOf(named ?? node);
  }

  /** The parts at some paths as one: lists are joined, maps are merged, and of other values the last one counts. Undefined: none is there. */
  merge(paths: readonly (readonly PropertyKey[])[]): Part | undefined {
    const node = paths
      .map((path) => path.reduce<unknown>(valueIn, this.#document.contents))
      .reduce((one, other) => mergeNodes(one, other), undefined);
    if (!isNode(node)) return undefined;
    return {value: node.toJS(this.#document), at: (path) => this.location(path, undefined, node)};
  }
}

/** A part of the document as data, and where the values in it are. */
export interface Part {
  readonly value: unknown;
  /** @param path within the part */
  readonly at: (path: readonly PropertyKey[]) => Location;
}

const nameOf = ({key}: Pair): unknown => (isScalar(key) ? key.value : key);

const valueIn = (node: unknown, name: PropertyKey): unknown => (isCollection(node) ? node.get(name, true) : undefined);

function mergeNodes(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other;
  if (isSeq(one) && isSeq(other)) {
    const all = new YAMLSeq();
    all.items = [...one.items, ...other.items];
    return all;
  }
  const [base, own] = [asMap(one), asMap(other)];
  if (!isMap(base) || !isMap(own)) return other;
  const all = new YAMLMap();
  all.range = own.range ?? null;
  const pairs = new Map(base.items.map((pair) => [nameOf(pair), pair]));
  for (const pair of own.items) pairs.set(nameOf(pair), new Pair(pair.key, mergeNodes(pairs.get(nameOf(pair))?.value, pair.value)));
  all.items = [...pairs.values()];
  return all;
}

/** A list of domains in place of a map is short for the map that has them. */
function asMap(node: unknown): unknown {
  if (!isSeq(node)) return node;
  const map = new YAMLMap();
  map.items = [new Pair(new Scalar('domains'), node)];
  return map;
}
