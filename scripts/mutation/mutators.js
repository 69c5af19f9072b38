/** What is changed at one node of the source, as the text that takes its place. */

const comparisons = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  in: [],
  instanceof: [],
};
const arithmetic = {'+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '**': '*', '&': '|', '|': '&', '<<': '>>', '>>': '<<', '>>>': '<<'};
const assignments = {'+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '??=': '=', '&&=': '=', '||=': '='};

/** Text of three words or more is prose: what messages say is tested as a whole, elsewhere. */
const isProse = (text) => (text.match(/[a-z'’,]{2,}/gi) ?? []).length >= 3 && /[a-z,] [a-z]/i.test(text);

const isText = ({type, value}) => type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');

/** `a + b` of texts: without the plus it would be no text, which says nothing. */
const joinsText = ({left, right}) =>
  isText(left) || isText(right) || (left.type === 'BinaryExpression' && left.operator === '+' && joinsText(left));

function ofBinary({left, right, operator}, textOf) {
  const others =
    comparisons[operator] ?? (operator in arithmetic && !(operator === '+' && joinsText({left, right})) ? [arithmetic[operator]] : []);
  return others.map((other) => `${textOf(left)} ${other} ${textOf(right)}`);
}

const anchors = /^\^|\$$/g;

/** A regular expression without an anchor, with a quantifier less, or with a class that is turned over. */
function ofRegex({regex: {pattern, flags}}) {
  const without = [...pattern.matchAll(anchors)]
    .filter(({index}) => pattern[index - 1] !== '\\')
    .map(({0: text, index}) => [index, text.length, '']);
  const quantifiers = [...pattern.matchAll(/(?<!\\|\(|\(\?)[+*?](?![+*])/g)].map(({index}) => [index, 1, '']);
  const counts = [...pattern.matchAll(/(?<!\\[pu])\{\d+(?:,\d*)?\}/g)].map(({0: text, index}) => [index, text.length, '']);
  const negations = [...pattern.matchAll(/(?<!\\)\[\^/g)].map(({index}) => [index, 2, '[']);
  const classes = [...pattern.matchAll(/(?<!\\)\\([dwsDWS])/g)].map(({index, 1: name}) => {
    return [index, 2, `\\${name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()}`];
  });
  const changed = [...without, ...quantifiers, ...counts, ...negations, ...classes].map(([at, length, text]) => {
    return [pattern.slice(0, at) + text + pattern.slice(at + length), flags];
  });
  if (flags.includes('i')) changed.push([pattern, flags.replace('i', '')]);
  return changed.flatMap(([text, marks]) => {
    try {
      return text === '' ? [] : [String(new RegExp(text, marks))];
    } catch {
      return [];
    }
  });
}

/** Large numbers are times and sizes, of which one more or less says nothing. */
const numbersFor = (value) => (value < 1000 ? [String(value + 1), String(value - 1)] : [String(value * 2), '0']);

function ofLiteral(node) {
  const {value, regex} = node;
  if (regex) return ofRegex(node);
  if (typeof value === 'number') return numbersFor(value);
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'string') return value === '' ? ["'mutant'"] : isProse(value) ? [] : ["''"];
  return [];
}

/** The links of a chain that may end it, with the place of their `?.`. */
function optionalLinks(node) {
  if (node === null || typeof node !== 'object' || !('object' in node || 'callee' in node || 'expression' in node)) return [];
  const inner = node.object ?? node.callee ?? node.expression;
  const deeper = node.type === 'ParenthesizedExpression' ? [] : optionalLinks(inner);
  return node.optional ? [...deeper, {after: inner.end, isMember: node.type === 'MemberExpression' && !node.computed}] : deeper;
}

function ofChain(node, textOf) {
  const text = textOf(node);
  return optionalLinks(node.expression).flatMap(({after, isMember}) => {
    const at = text.indexOf('?.', after - node.start);
    return at < 0 ? [] : [text.slice(0, at) + (isMember ? '.' : '') + text.slice(at + 2)];
  });
}

/** What takes the place of an expression, by the type of its node. */
const expressions = {
  BinaryExpression: ofBinary,
  LogicalExpression({left, right, operator}, textOf) {
    const [one, other] = [textOf(left), textOf(right)];
    return operator === '??' ? [one, other] : [`${one} ${operator === '&&' ? '||' : '&&'} ${other}`];
  },
  UnaryExpression: ({operator, argument}, textOf) => (operator === '!' || operator === '-' ? [textOf(argument)] : []),
  UpdateExpression: ({operator}, textOf, text) => [text.replace(operator, operator === '++' ? '--' : '++')],
  AssignmentExpression: ({operator, left, right}, textOf) =>
    operator in assignments ? [`${textOf(left)} ${assignments[operator]} ${textOf(right)}`] : [],
  Literal: ofLiteral,
  TemplateLiteral({quasis}) {
    const text = quasis.map(({value}) => value.cooked).join('');
    return isProse(text) ? [] : ['``'];
  },
  ArrayExpression: ({elements}) => (elements.length > 0 ? ['[]'] : []),
  ChainExpression: ofChain,
};

/** @param textOf the source of a node @returns texts that can take the place of an expression */
export const insteadOf = (node, textOf) => expressions[node.type]?.(node, textOf, textOf(node)) ?? [];

const unwrapped = (node) =>
  node.type === 'ParenthesizedExpression' || node.type === 'AwaitExpression' ? unwrapped(node.expression ?? node.argument) : node;

/** Whether a statement only calls something, so that nothing is left when the call is removed. */
export function isCall({type, expression}) {
  if (type !== 'ExpressionStatement') return false;
  const call = unwrapped(expression);
  const inner = call.type === 'ChainExpression' ? call.expression : call;
  return inner.type === 'CallExpression' && inner.callee.type !== 'Super';
}
