import {expect, test} from 'vitest';
import {thresholds} from '../../../../src/lib/policy/reports/formats/thresholds.js';
import {emptyModel, stateOf} from '../model-server.js';
import {clean, drifted, reportOn, textOf} from './audits.js';

test('the thresholds report counts for each domain the lists that name it severely enough', () => {
  expect(textOf(thresholds.render([drifted]))).toBe(
    'domain,count,share,lists\none.example,1,50%,lists/a.csv\ntwo.example,2,100%,lists/a.csv; lists/b.csv\n',
  );
  const mild = reportOn('version: 1\ndomain_blocks: {must: []}\n', stateOf(emptyModel), {
    '=a,"b.csv': 'domain,severity\na.example,noop\nb.example,suspend\n',
    'c.csv': 'a.example\n',
    'd.csv': 'd.example\n',
  });
  expect(textOf(thresholds.render([mild]))).toBe(
    `domain,count,share,lists\na.example,1,33.33%,c.csv\nb.example,1,33.33%,"'=a,""b.csv"\nd.example,1,33.33%,d.csv\n`,
  );
});

test('names the policy and the accounts where there are several', () => {
  const other = reportOn('version: 1\ndomain_blocks: {}\n', stateOf(emptyModel), {'x.csv': 'x.example\n'}, 'https://other.example');
  const bo = {...clean, account: 'bo'};
  const none = reportOn('version: 1\nblocks: {}\n', stateOf(emptyModel));
  expect(textOf(thresholds.render([clean, bo, other, none]))).toBe(
    `policy,accounts,domain,count,share,lists
p.yml,ana on pix.example; bo on pix.example,one.example,1,50%,lists/a.csv
p.yml,ana on pix.example; bo on pix.example,two.example,2,100%,lists/a.csv; lists/b.csv
p.yml,ana on other.example,x.example,1,100%,x.csv
`,
  );
});
