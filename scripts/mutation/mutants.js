/**
 * The mutants of a file, all of which are compiled at once: at each place there is a choice between the text as it was and the
 * mutated ones, by the number of the mutant that is active (switch.cjs).
 */
import {inOneLine, isNode, parsed, withInsertions, wrappers} from './source.js';
import {insteadOf, isCall} from './mutators.js';

/** Parts of nodes that are names or places to assign to, where nothing can be chosen. */
const fixedIn = {
  ImportDeclaration: ['specifiers', 'source', 'attributes'],
  ExportAllDeclaration: ['exported', 'source', 'attributes'],
  ExportNamedDeclaration: ['specifiers', 'source', 'attributes'],
  ImportExpression: ['source', 'options'],
  AssignmentExpression: ['left'],
  UpdateExpression: ['argument'],
  TaggedTemplateExpression: ['quasi'],
};
const keyed = {MemberExpression: 'property', Property: 'key', MethodDefinition: 'key', PropertyDefinition: 'key'};

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const loops = new Set(['WhileStatement', 'ForStatement', 'DoWhileStatement']);

/** The places of a tree at which something is mutated, each with the texts that may take its place. */
class Places {
  #source;
  found = [];

  constructor(source) {
    this.#source = source;
  }

  #textOf = ({start, end}) => this.#source.slice(start, end);

  #add(form, {start, end}, texts) {
    if (texts.length > 0) this.found.push({form, start, end, texts});
  }

  walk(node, parent, part) {
    if (node.type.startsWith('TS')) {
      if (wrappers.has(node.type)) this.walk(node.expression, node, 'expression');
      return;
    }
    this.#mutate(node, parent, part);
    const fixed = fixedIn[node.type] ?? [];
    const key = node.computed ? undefined : keyed[node.type];
    for (const [name, value] of Object.entries(node)) {
      if (name === key || fixed.includes(name)) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) this.walk(child, node, name);
    }
  }

  #mutate(node, parent, part) {
    const isCallee = part === 'callee' || part === 'tag' || (parent?.type === 'UnaryExpression' && parent.operator === 'delete');
    if (node.type === 'ExpressionStatement') {
      if (isCall(node)) this.#add('expression', node.expression, ['undefined']);
    } else if (node.type === 'BlockStatement') this.#mutateBlock(node, parent, part);
    else if (node.type === 'ReturnStatement') {
      if (node.argument && this.#textOf(node.argument) !== 'undefined') this.#add('expression', node.argument, ['undefined']);
    } else if (!isCallee && !parent?.directive) this.#add('expression', node, insteadOf(node, this.#textOf));
    if (part === 'test' && ['IfStatement', 'ConditionalExpression'].includes(parent.type)) this.#add('expression', node, ['true', 'false']);
    if (part === 'test' && loops.has(parent.type)) this.#add('expression', node, ['false']);
    const isResult = parent?.type === 'ArrowFunctionExpression' && part === 'body' && node.type !== 'BlockStatement';
    if (isResult && this.#textOf(node) !== 'undefined') this.#add('expression', node, ['undefined']);
  }

  /** A block that is emptied, unless another mutant does the same. */
  #mutateBlock(node, parent, part) {
    const [first, ...rest] = node.body;
    if (first === undefined) return;
    const single = rest.length === 0;
    if (functions.has(parent.type)) {
      if (!(single && (first.type === 'ReturnStatement' || isCall(first)))) this.#add('body', node, ['{}']);
    } else if (!(part === 'consequent' && !parent.alternate) && !(single && isCall(first)) && !loops.has(parent.type)) {
      this.#add('block', node, ['{}']);
    }
  }
}

/** Constructors that are left before `super` would only throw. */
function withoutConstructors(program, places) {
  const bodies = new Set();
  const visit = (node) => {
    if (node.type === 'MethodDefinition' && node.kind === 'constructor') bodies.add(node.value.body?.start);
    for (const value of Object.values(node)) for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
  };
  visit(program);
  return places.filter(({form, start}) => form !== 'body' || !bodies.has(start));
}

/**
 * @param file its path in the project, with slashes
 * @returns places with their mutants, each with a key that stays when lines move
 */
export function placesIn(file, source) {
  const program = parsed(file, source);
  const places = new Places(source);
  places.walk(program);
  const counts = new Map();
  const ordered = withoutConstructors(program, places.found).sort((one, other) => one.start - other.start || other.end - one.end);
  return ordered.map(({texts, ...place}) => {
    const code = inOneLine(source.slice(place.start, place.end));
    const line = source.slice(0, place.start).split('\n').length;
    const mutants = [...new Set(texts)].map((text) => {
      const mutation = inOneLine(text);
      const name = JSON.stringify([file, code, mutation]);
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      return {key: JSON.stringify([file, code, mutation, nth]), file, line, code, mutation, nth, text};
    });
    return {...place, mutants};
  });
}

/**
 * The source with all of its mutants in it.
 * @param places with mutants that have a number, `id`
 * @param switchFile the address of switch.cjs
 */
export function withMutants(source, places, switchFile) {
  const wraps = places.map(({form, start, end, mutants}) => {
    const [{id}] = mutants;
    if (form === 'body') return {start: start + 1, end, before: `if($mutant(${id}))return;`, after: ''};
    if (form === 'block') return {start: start + 1, end: end - 1, before: `if(!$mutant(${id})){`, after: '}'};
    return {start, end, before: `(${mutants.map((mutant) => `$mutant(${mutant.id})?(${mutant.text}):`).join('')}(`, after: '))'};
  });
  return withInsertions(source, wraps, {name: '$mutant', module: switchFile});
}
