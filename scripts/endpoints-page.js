import {anchor, notice, paragraphs, table} from './markdown.js';
import {chaptersOf} from './records.js';
import {invocation} from './topics.js';

const headings = ['request', 'scope', 'command', 'pages', 'repeat', 'headers'];

const frame = `Every endpoint that a command calls, from the records in \`src/lib/api\`.

- *scope*: what the token has to allow. A dash where none is documented; a token is needed all the same.
- *pages*: where an answer names the next page.
- *repeat*: whether the request may be sent again when its fate is unknown. Where it says no, pixelctl sends it once.
- *headers*: what servers want besides the usual ones.`;

/** The page with one table for each chapter. */
export async function endpointsPage(manifest, {oclif}) {
  const chapters = await chaptersOf(manifest);
  const commands = new Map(chapters.flatMap(({entries}) => entries).map(({record, command}) => [record.name, link(command, oclif.bin)]));
  const sections = chapters.map(({title, about, entries}) =>
    paragraphs(
      `## ${title}`,
      about,
      table(
        headings,
        entries.map(({record}) => row(record, commands)),
      ),
    ),
  );
  return `${paragraphs(notice, '# Endpoints', frame, ...sections)}\n`;
}

function row(record, commands) {
  const {method, path, name, paging, repeat, headers = {}} = record;
  return [
    `\`${method} ${path}\``,
    scope(record),
    commands.get(name),
    paging ? pages(paging) : '–',
    repeat === 'harmless' ? 'yes' : 'no',
    Object.entries(headers)
      .map(([header, value]) => `\`${header}: ${value}\``)
      .join(', ') || '–',
  ];
}

function scope({anonymous, scope}) {
  if (anonymous) return 'no token is sent';
  return scope ?? '–';
}

function pages({by, next, parameter, more, oldest, newest, maxEmpty}) {
  const whileMore = more ? `, while \`${more.join('.')}\`` : '';
  switch (by) {
    case 'link':
      return '`Link` header';
    case 'cursor':
      return `\`${next.join('.')}\` as \`${parameter}\`${whileMore}`;
    case 'bounds':
      return `\`${oldest.join('.')}\` as \`max_id\`, \`${newest.join('.')}\` as \`min_id\`${whileMore}`;
    case 'number':
      return `\`${parameter}\`, until ${maxEmpty} pages in a row are empty`;
    default:
      throw new Error(`no words for paging by ${by}`);
  }
}

function link(command, bin) {
  return `[${command.id.replaceAll(':', ' ')}](${command.id.split(':')[0]}.md#${anchor(invocation(bin, command))})`;
}
