/** A YAML or JSON file with the lines of its parts. */
import {type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit} from 'yaml';
import {Failure} from '../../client/failure.js';
import type {Location} from './location.js';
import {Mistakes, refuseMistakes} from './mistakes.js';

export interface Position {
  readonly line: number;
  readonly column: number;
}

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

/** Characters: some 450,000 accounts, which take ten seconds to parse. */
const maxLength = 16 * 1024 ** 2;

/** Characters that may be searched for what aliases refer to: the parser searches the whole text for each. */
const maxSearched = 50_000_000;

/** @throws Failure `usage` for what the parser throws, beside the errors that it lists */
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

  /** @throws Failure `usage` when it is too large, or nested so deeply that the parser cannot say where */
  constructor(text: string, file: string) {
    if (text.length > maxLength) throw new Failure('usage', `${file} is larger than ${maxLength / 1024 ** 2} MiB, too large for a policy`);
    this.file = file;
    this.#length = text.length;
    this.#document = parseOrRefuse(file, () =>
      parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        // The parser compares each key with every other one.
        uniqueKeys: false,
        // Whatever version the file declares: a `!!set` or `!!omap` would pass for a rule without entries.
        schema: 'core',
        resolveKnownTags: false,
      }),
    );
  }

  /** The YAML errors, and keys that a map has twice. */
  get mistakes(): Mistakes {
    const {errors, warnings} = this.#document;
    const found = new Mistakes();
    const deep = errors.find(({message}) => message === tooDeep);
    for (const {message, pos} of deep === undefined ? [...errors, ...warnings] : [deep])
      found.add(this.#placeAt(pos[0]), () => plainMessage(message));
    if (found.count > 0) return found;
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
    return found;
  }

  #placeAt(offset: number) {
    const {line, col} = this.#lines.linePos(offset);
    return {file: this.file, line, column: col};
  }

  #placeOf({range}: Node) {
    return this.#placeAt(range?.[0] ?? 0);
  }

  /**
   * Words that begin with `*` and were meant as text: YAML reads them as references.
   * @throws Failure `usage` for these, and for more references than can be searched for
   */
  #checkAliases(): void {
    const unknown = new Mistakes();
    const anchors = new Set<string>();
    let count = 0;
    visit(this.#document, {
      Node: (_, node) => {
        if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
      },
      Alias: (_, alias) => {
        count += 1;
        const message = `YAML reads *${alias.source} as an alias: put text that begins with * in quotes`;
        if (!anchors.has(alias.source)) unknown.add(this.#placeOf(alias), () => message);
      },
    });
    refuseMistakes(this.file, unknown);
    if (count * this.#length > maxSearched) throw new Failure('usage', `${this.file} cannot be read: it has too many aliases for its size`);
  }

  /** @throws Failure `usage` when an alias is not known, its aliases expand too far, or it is nested too deeply */
  get value(): unknown {
    this.#checkAliases();
    return parseOrRefuse(this.file, (): unknown => this.#document.toJS());
  }

  /** The position of a value, or of the nearest one around it; with a key, the position of that key in it. */
  position(path: readonly PropertyKey[], key?: string): Position {
    const node = this.#document.getIn(path, true);
    const keyNode =
      key !== undefined && isMap(node) ? node.items.map((pair) => pair.key).find((one) => isScalar(one) && one.value === key) : undefined;
    const found = keyNode ?? node;
    if (isNode(found) && found.range) {
      const {line, col} = this.#lines.linePos(found.range[0]);
      return {line, column: col};
    }
    return path.length === 0 ? {line: 1, column: 1} : this.position(path.slice(0, -1));
  }

  location(...path: PropertyKey[]): Location {
    return {file: this.file, line: this.position(path).line};
  }
}
