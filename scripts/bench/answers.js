/** Answers that are short to send and long to read: the memory that they take, beside that of a short one. */
import {createServer} from 'node:http';
import {once} from 'node:events';
import {bin} from '../sandbox.js';
import {inTurns} from './measured.js';

const warmUps = 0;

/** Rows with fields of their own, each with another name. */
const ownNames = (rows, fields) =>
  Array.from({length: rows}, (_, row) => {
    const names = Array.from({length: fields}, (__, field) => `"own_${row}_${field}":${field}`);
    return `{"id":"${row}",${names.join(',')}}`;
  }).join(',');

const answers = {
  start: '{"id":"1"}',
  '3,000 rows of 80 own names': ownNames(3000, 80),
  '48,000 rows of 3 own names': ownNames(48_000, 3),
  '240,000 own names in one row': ownNames(1, 240_000),
  '120,000 empty rows': `{}${',{}'.repeat(119_999)}`,
  'texts of 15 MB': Array.from({length: 150}, (_, row) => `{"id":"${row}","note":"${'word '.repeat(20_000)}"}`).join(','),
};

const formats = ['json', 'ndjson', 'csv', 'yaml', 'table'];

/** @returns what each answer used in each format by its name, as {@link inTurns} does; `start` is a short one */
export async function benchAnswers(rounds, env) {
  let body = '';
  const server = createServer((_, response) => {
    response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)}).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const way = {env: {...env, PIXELCTL_SERVER: `http://127.0.0.1:${server.address().port}`}};
  const results = {};
  try {
    for (const [name, rows] of Object.entries(answers)) {
      body = `[${rows}]`;
      for (const format of name === 'start' ? ['json'] : formats) {
        const title = name === 'start' ? name : `${name}, -o ${format}`;
        Object.assign(results, await inTurns({[title]: {...way, args: [bin, 'blocks', 'list', '-o', format]}}, rounds, warmUps));
      }
    }
    return results;
  } finally {
    server.close();
  }
}
