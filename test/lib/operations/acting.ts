/** What an operation on people or posts finds, keeps and sends: its input is converted, its target looked up, and then acted on. */
import type {Client} from '../../../src/lib/client/client.js';
import type {Members} from '../../../src/lib/api/schema.js';
import {convertInput, type Operation} from '../../../src/lib/operations/operation.js';

/** @param told what a list, or the file of an earlier change, says of the target */
export async function act(
  operation: Operation,
  input: {readonly path?: Members; readonly body?: Members},
  client: Client,
  {profile, told, saved = []}: {readonly profile?: string; readonly told?: unknown; readonly saved?: readonly Members[]} = {},
) {
  const {finding} = operation;
  if (finding === undefined) throw new Error(`${operation.name} looks up no target`);
  const meant = convertInput(operation, input);
  const value = String(meant.path['id'] ?? meant.body['user'] ?? meant.body['id']);
  const first = await finding.find({value, profile, told: async () => told}, meant, client);
  const found = (await finding.ready?.(first, client)) ?? first;
  const [kept, noted, restored]: Members[][] = [[], [], []];
  const into = (lines: Members[] | undefined) => async (line: Members) => void lines?.push(line);
  const acting = {client, saved, keep: into(kept), noteAnswer: into(noted), noteRestored: into(restored)};
  const answer = await finding.act(found, meant, acting);
  return {found, answer, kept, noted, restored, warnings: answer.warnings};
}
