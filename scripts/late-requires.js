/** Makes modules load what they import when they first use it, not when they are loaded themselves. */
import {parseAst} from 'rolldown/parseAst';

/** What each kind of node holds that only looks like the use of a variable. */
const namesIn = {MemberExpression: 'property', Property: 'key', MethodDefinition: 'key', PropertyDefinition: 'key'};

/** Parts of nodes that give variables their values. */
const bindingsIn = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  CatchClause: ['param'],
  AssignmentExpression: ['left'],
  UpdateExpression: ['argument'],
};

const isNode = (value) => typeof value?.type === 'string';

/** Calls `visit` for each identifier that is a variable, with what surrounds it, the innermost first. */
function eachVariable(node, visit, isBinding = false, around = []) {
  if (node.type === 'Identifier') return visit(node, isBinding, around);
  const name = node.computed ? undefined : namesIn[node.type];
  for (const [part, value] of Object.entries(node)) {
    if (part === name) continue;
    // What a member of something is assigned to does not change the variable.
    const binds = node.type !== 'MemberExpression' && (isBinding ? part !== 'right' : (bindingsIn[node.type]?.includes(part) ?? false));
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) eachVariable(child, visit, binds, [node, ...around]);
  }
}

/** Whether a value is a call of `require` with a name, or a call of something with such a call. */
function isRequire(node) {
  if (node?.type !== 'CallExpression') return false;
  const [argument] = node.arguments;
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') return isRequire(argument);
  return typeof argument?.value === 'string';
}

/** The names that a declaration takes from a module of Node's: `const {a, b: c} = require('node:x')`. */
function takenFrom({id, init}) {
  if (id.type !== 'ObjectPattern' || !init.arguments[0].value?.startsWith('node:')) return undefined;
  const simple = id.properties.every(({type, computed, value}) => type === 'Property' && !computed && value.type === 'Identifier');
  return simple ? id.properties.map(({key, value}) => [value.name, key.name]) : undefined;
}

/** A `new X()` or `new X.Y()` needs parentheses, because its first call would be that of X. */
function isConstructed(node, around) {
  const outer = around.find(({type}) => type !== 'MemberExpression');
  return outer?.type === 'NewExpression' && outer.callee.start <= node.start && node.end <= outer.callee.end;
}

/** @param code a CommonJS module @returns the module with late imports; the imports of a name that is bound elsewhere stay */
export function withLateRequires(code) {
  const {body} = parseAst(code, {lang: 'js', sourceType: 'commonjs'});
  /** What each variable becomes, and the declaration that it comes from. */
  const late = new Map();
  const declarations = [];
  for (const node of body) {
    if (node.type !== 'VariableDeclaration' || node.declarations.length > 1 || !isRequire(node.declarations[0].init)) continue;
    const [{id, init}] = node.declarations;
    const getter = id.type === 'Identifier' ? id.name : `late${declarations.length}`;
    const names = id.type === 'Identifier' ? [[id.name]] : takenFrom({id, init});
    if (names === undefined) continue;
    const declaration = {start: node.start, end: node.end, names, getter, init: code.slice(init.start, init.end)};
    declarations.push(declaration);
    for (const [name, member] of names) late.set(name, {text: member === undefined ? `${getter}()` : `${getter}().${member}`, declaration});
  }
  const uses = [];
  eachVariable({type: 'Program', body}, (node, isBinding, around) => {
    const found = late.get(node.name);
    if (found === undefined || (node.start >= found.declaration.start && node.end <= found.declaration.end)) return;
    if (isBinding) found.declaration.isBoundElsewhere = true;
    uses.push({...found, node, around});
  });
  const edits = declarations
    .filter(({isBoundElsewhere}) => !isBoundElsewhere)
    .map(({start, end, getter, init}) => ({start, end, text: `let ${getter}$;const ${getter}=()=>${getter}$??=${init};`}));
  for (const {text, declaration, node, around} of uses) {
    if (declaration.isBoundElsewhere) continue;
    const isShorthand = around[0].type === 'Property' && around[0].shorthand;
    const value = isConstructed(node, around) ? `(${text})` : text;
    edits.push({start: node.start, end: node.end, text: isShorthand ? `${node.name}:${value}` : value});
  }
  let made = code;
  for (const {start, end, text} of edits.toSorted((one, other) => other.start - one.start)) {
    made = made.slice(0, start) + text + made.slice(end);
  }
  return made;
}
