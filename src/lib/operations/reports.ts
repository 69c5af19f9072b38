import {handleReport} from '../api/moderation-reports.js';
import {commandText} from '../files/command-text.js';
import {requestFor} from '../client/request.js';
import {operation} from './operation.js';

const staysPublic = `Pixelfed 0.12.6 leaves the post in the public timeline: \`${commandText('posts moderate', {args: ['ID'], flags: {visibility: 'unlisted'}})}\`, with the id of the post, takes it off`;

/** Handles a report, and warns that `unlist` does not do all that its name says. */
export const reportHandling = operation(handleReport, {
  async send(input, client) {
    const answer = await client.send(requestFor(handleReport, input), handleReport.output());
    return input.body?.['action'] === 'unlist' ? {...answer, warnings: [...(answer.warnings ?? []), staysPublic]} : answer;
  },
});
