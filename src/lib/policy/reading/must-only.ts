/** Reads the policies in backups. They have only `must`, and their accounts are named the same on every server. */
import {membersOf} from '../../api/schema.js';
import {kindOf} from '../sections/index.js';
import {isPortable} from '../sections/account-sections.js';
import {Mistakes, refuseMistakes} from '../source/mistakes.js';
import {YamlSource} from '../source/yaml-source.js';

/** Keys are the names of sections. */
type MustRules = Readonly<Record<string, {readonly must?: unknown}>>;

interface Expected {
  /** The sections that may be in it. */
  readonly keys: readonly string[];
  /** Whether the policy is for one server, which it then has to name. Otherwise it is for any. */
  readonly hasServer: boolean;
}

/**
 * Checks that a policy has only `must`, because somebody may have edited the backup. Its entries are checked when it is read as a policy.
 * @throws Failure `usage` with every mistake in it
 */
export function mustRulesIn(text: string, file: string, {keys, hasServer}: Expected): MustRules {
  const source = new YamlSource(text, file);
  const found = new Mistakes();
  const known: readonly string[] = ['version', ...(hasServer ? ['server'] : []), ...keys];
  const rules: Record<string, {readonly must?: unknown}> = {};
  const all = membersOf(source.value);
  if (hasServer && all['server'] === undefined) found.add({file, line: 1}, () => 'it does not name the server that it was read from');
  for (const [name, value] of Object.entries(all)) {
    if (!known.includes(name)) found.add(source.location([], name), () => `${name}: a backup has only ${known.join(', ')}`);
    const kind = kindOf(name);
    if (kind === undefined) continue;
    const {must, ...others} = membersOf(value);
    rules[name] = {must};
    for (const other of Object.keys(others))
      found.add(source.location([name], other), () => `${name}.${other}: a backup has only ${name}.must`);
    for (const [index, entry] of (Array.isArray(must) ? must : []).entries()) {
      const account = typeof entry === 'string' ? entry : membersOf(entry)['account'];
      if (typeof account !== 'string' || isPortable(kind, account)) continue;
      found.add(source.location([name, 'must', index]), () => `"${account}" is not an account with its server, as in ana@pix.example`);
    }
  }
  refuseMistakes(file, found);
  return rules;
}
