/** The parsers of foreign text, by the room that has them. */
const rooms = {
  data: ['json', 'csv', 'bytes', 'yaml-output'],
  lists: ['list', 'instances', 'filters', 'targets', 'batch', 'domain', 'account', 'time'],
  policies: ['policy', 'backup-policy', 'state', 'state-log', 'plan', 'earlier-report'],
  answers: ['answer', 'refusal', 'link', 'waits', 'token', 'compressed'],
  'sign-in': ['issued-token', 'registration', 'approval', 'pasted-token', 'token-owner'],
  settings: ['environment', 'address', 'raw-request', 'form', 'certificates', 'fields'],
  shell: ['shell', 'curl', 'jq'],
  kept: ['profiles', 'secrets', 'environment-profiles', 'limits', 'kept-ids', 'followed', 'lock', 'journal', 'changes'],
  archives: [
    'archive-owner',
    'generation',
    'latest-generation',
    'archive-conversations',
    'archive-messages',
    'archive-index',
    'archive-reading',
    'archive-damaged',
  ],
};

export const parserNames = Object.values(rooms).flat();

/**
 * A parser. `parse` gives whatever shows that something new was reached, or throws; `isOwn` says which errors are meant for whoever
 * calls; `finish` makes what a mutation broke whole again where a parser would look no further; `settle` checks what was collected, in one
 * go; `isPart`: its errors are parts of sentences that others complete; `slowness` is how many times the usual time an input may take; `share` is the part of the mutations that others get.
 * @typedef {{
 *   parse: (bytes: Buffer) => unknown,
 *   isOwn?: (error: unknown) => boolean,
 *   shapes?: readonly ('json' | 'lines' | 'table' | 'yaml')[],
 *   words?: readonly string[],
 *   finish?: (text: string, random: import('../random.js').Random) => string,
 *   settle?: () => Promise<void>,
 *   share?: number,
 *   isPart?: boolean,
 *   slowness?: number,
 * }} Parser
 */

/** @returns {Promise<Parser>} */
export async function parserOf(name) {
  const [room] = Object.entries(rooms).find(([, names]) => names.includes(name));
  const {parsers} = await import(/* @vite-ignore */ `./${room}.js`);
  return parsers[name];
}
