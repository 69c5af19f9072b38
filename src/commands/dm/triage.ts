import {command} from '../../lib/cli/command.js';

export default command({
  summary: 'Decide on message requests one by one',
  writes: true,
  isRepeatable: false,
  description:
    'Shows each message request with its sender and text, and asks what to do: accept, hide, block, report or skip. Each decision is carried out at once. It needs a terminal, and a token with the scopes read and write.',
  details: `Shows each message request: who wrote, since when, and what they wrote. Then it asks whether to accept it, hide it, block the sender, report the message, or skip it. Nothing is marked as read.

Blocking also hides the request, and you stop following each other. After a report the same request is asked about again. Somebody of a group is blocked with blocks add. It needs a terminal; for scripts, list requests with dm list --filter requests.

Calls GET /api/v1.1/direct/conversations and the endpoints of your decisions. It needs a token with the scopes read and write.`,
  examples: [
    {does: 'Go through all message requests', line: 'dm triage'},
    {does: 'Go through those of another profile', line: 'dm triage --profile ana@pix.example'},
  ],
  async run({session}) {
    await (await import('../../lib/cli/triage/triage.js')).triageRequests(session);
  },
});
