/** How reports are handled, and what can be done about them besides. */
import {handleReport} from '../api/moderation-reports.js';
import {commandText} from '../files/command-text.js';
import {membersOf} from '../api/schema.js';
import {requestFor} from '../client/request.js';
import {identifierAt, textAt} from '../json/path.js';
import {isHandle, isId} from './handle.js';
import {operation} from './operation.js';

const staysPublic = `Pixelfed 0.12.6 leaves the post in the public timeline: \`${commandText('posts moderate', {args: ['ID'], flags: {visibility: 'unlisted'}})}\`, with the id of the post, takes it off`;

/** Handles a report, and says where that does less than it is called. */
export const reportHandling = operation(handleReport, {
  async send(input, client) {
    const answer = await client.send(requestFor(handleReport, input), handleReport.output());
    return input.body?.['action'] === 'unlist' ? {...answer, warnings: [...(answer.warnings ?? []), staysPublic]} : answer;
  },
});

/** The commands that do more with the reported post or person, in a sentence; undefined where neither is named. */
export function adviseFurther(report: unknown): string | undefined {
  const {status, account} = membersOf(report);
  const [post, acct] = [textAt(status, ['id']), textAt(account ?? membersOf(status)['account'], ['acct'])];
  const [name, host] = acct === undefined || !isHandle(`@${acct}`) ? [] : acct.split('@');
  const ways = [
    post !== undefined &&
      isId(post) &&
      `\`${commandText('posts moderate', {args: [post], flags: {visibility: 'private'}})}\` hides the post`,
    name !== undefined &&
      host === undefined &&
      `\`${commandText('users update', {args: [`@${name}`], flags: {unlisted: true, cw: true}})}\` unlists all posts of @${name} and marks them as sensitive`,
    host !== undefined &&
      `\`${commandText('instances moderate', {args: [host], flags: {unlisted: true}})}\` unlists all posts from ${host}`,
  ].filter((way) => way !== false);
  if (ways.length === 0) return undefined;
  return `More can be done about report ${identifierAt(report, ['id']) ?? ''}: ${ways.join('; ')}.`;
}
