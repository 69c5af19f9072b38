/** A YAML or JSON file with the lines of its parts. */
import {type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit} from 'yaml';
import {Failure} from '../client/failure.js';
import type {Location} from './location.js';
import {type Mistake, refuseMistakes} from './mistakes.js';

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

export class YamlSource {
  readonly file: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  constructor(text: string, file: string) {
    this.file = file;
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // Whatever version the file declares: a `!!set` or `!!omap` would pass for a rule without entries.
      schema: 'core',
      resolveKnownTags: false,
    });
  }

  /** The YAML errors. */
  get mistakes(): Mistake[] {
    const {errors, warnings} = this.#document;
    const deep = errors.find(({message}) => message === tooDeep);
    return (deep === undefined ? [...errors, ...warnings] : [deep]).map(({message, pos}) => {
      const {line, col} = this.#lines.linePos(pos[0]);
      return {file: this.file, line, column: col, message: plainMessage(message)};
    });
  }

  /** Words that begin with `*` and were meant as text: YAML reads them as references. */
  #unknownAliases(): Mistake[] {
    const found: Mistake[] = [];
    visit(this.#document, {
      Alias: (_, alias) => {
        if (alias.resolve(this.#document) !== undefined || !alias.range) return;
        const {line, col} = this.#lines.linePos(alias.range[0]);
        const message = `YAML reads *${alias.source} as a reference to something named before: put text that begins with * in quotes`;
        found.push({file: this.file, line, column: col, message});
      },
    });
    return found;
  }

  /** @throws Failure `usage` when an alias is not known, its aliases expand too far, or it is nested too deeply */
  get value(): unknown {
    try {
      return this.#document.toJS();
    } catch (error) {
      if (error instanceof ReferenceError) refuseMistakes(this.file, this.#unknownAliases());
      const why = error instanceof RangeError ? 'it is nested too deeply' : 'its aliases expand too far';
      throw new Failure('usage', `${this.file} cannot be read: ${why}`, {cause: error});
    }
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
