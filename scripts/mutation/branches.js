/** The parts of a source that run or do not: bodies of functions, branches, what follows a branch, and defaults. */
import {inOneLine, isNode, parsed, wrappers} from './source.js';

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const loops = new Set(['WhileStatement', 'ForStatement', 'ForOfStatement', 'ForInStatement', 'DoWhileStatement']);

/** After these a function may have ended. */
const mayLeave = new Set(['IfStatement', 'SwitchStatement', 'TryStatement', 'LabeledStatement', 'BlockStatement', ...loops]);

/** Nothing runs there: an empty block or value. */
function isNothing(node) {
  if (node.type === 'BlockStatement') return node.body.length === 0;
  if (node.type === 'ArrayExpression') return node.elements.length === 0;
  if (node.type === 'ObjectExpression') return node.properties.length === 0;
  if (node.type === 'ParenthesizedExpression') return isNothing(node.expression);
  return node.type === 'Identifier' ? node.name === 'undefined' : node.type === 'Literal' && (node.value === null || node.value === '');
}

/** The same each time: nothing in it is called or read. */
function isConstant(node) {
  if (node.type === 'NewExpression') return node.arguments.length === 0;
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0;
  if (node.type === 'UnaryExpression') return isConstant(node.argument);
  return node.type === 'Literal' || isNothing(node);
}

/** What nobody foresaw: an error goes on as it was, or a plain one says that the program is wrong. Users get failures. */
const isUnforeseen = ({type, argument}) =>
  type === 'ThrowStatement' && (argument.type === 'Identifier' || /^(Range)?Error$/.test(argument.callee?.name ?? ''));

/** The types do not know of every value that it is always there: `list[0] ?? ''`. */
const isInPlaceOfMissing = ({type, operator}, part) =>
  (type === 'AssignmentPattern' || (type === 'LogicalExpression' && operator === '??')) && isConstant(part);

/** @returns the parts of a node that run only sometimes */
function conditional(node) {
  if (functions.has(node.type)) return [node.body];
  if (loops.has(node.type)) return [node.body];
  if (node.type === 'IfStatement') return [node.consequent, node.alternate];
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate];
  if (node.type === 'LogicalExpression' || node.type === 'AssignmentPattern') return [node.right];
  if (node.type === 'AssignmentExpression' && ['??=', '||=', '&&='].includes(node.operator)) return [node.right];
  if (node.type === 'TryStatement') return [node.handler?.body];
  if (node.type === 'SwitchCase') return [node.consequent[0]];
  if (node.type === 'BlockStatement') return node.body.filter((_, index) => mayLeave.has(node.body[index - 1]?.type));
  return [];
}

const isStatement = ({type}) => /(?:Statement|Declaration)$/.test(type);

/** How it is told that a part was run: `$ran` is called with its number. */
function wrap({type, start, end}, isOnly, id) {
  if (type === 'BlockStatement') return {start: start + 1, end: end - 1, before: `$ran(${id});`, after: ''};
  if (isOnly) return {start, end, before: `{$ran(${id});`, after: '}'};
  return {start, end, before: `$ran(${id});`, after: ''};
}

/** @returns `{file, line, code, nth, start, end, wrap}` of each part; `wrap` says how its number is told when it runs */
export function branchesIn(file, source) {
  const found = [];
  const counts = new Map();
  const add = (node, parent) => {
    const {start, end} = node;
    const isOnly = parent.type === 'IfStatement' || loops.has(parent.type);
    const code = inOneLine(source.slice(start, end));
    const nth = (counts.get(code) ?? 0) + 1;
    counts.set(code, nth);
    found.push({
      file,
      line: source.slice(0, start).split('\n').length,
      code,
      nth,
      start,
      end,
      wrap: (id) => (isStatement(node) ? wrap(node, isOnly, id) : {start, end, before: `($ran(${id}),`, after: ')'}),
    });
  };
  const walk = (node) => {
    if (node.type.startsWith('TS') && !wrappers.has(node.type)) return;
    for (const part of conditional(node))
      if (part && !isNothing(part) && !isUnforeseen(part) && !isInPlaceOfMissing(node, part)) add(part, node);
    for (const value of Object.values(node)) for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child);
  };
  walk(parsed(file, source));
  return found;
}
