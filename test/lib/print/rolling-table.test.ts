import {listNotifications} from '../../../src/lib/api/notifications.js';
import {describe, expect, test} from 'vitest';
import {openRollingTable} from '../../../src/lib/print/rolling-table.js';
import {columnsOf} from '../../../src/lib/print/width.js';
import {now, pipe, screen} from './setting.js';

const notification = (id: string, who: string, content: string) =>
  JSON.stringify({id, type: 'mention', account: {acct: who}, created_at: '2020-05-01T10:00:00.000Z', status: {content}});

describe('rows that come bit by bit', () => {
  test('stand below one header, in columns as wide as the first of them need', () => {
    const table = openRollingTable({terminal: pipe, now, isList: true, fields: ['id', 'name']});
    expect(table.items(['{"id":"10","name":"ben"}', '{"id":"9","name":"anabel"}'])).toBe('id  name\n10  ben\n9   anabel\n');
    expect(table.items([])).toBe('');
    expect(table.items(['{"id":"8","name":"eva"}'])).toBe('8   eva\n');
    expect(table.end()).toEqual({stdout: ''});
  });

  test('are not cut off where no terminal is', () => {
    const table = openRollingTable({terminal: pipe, now, isList: true, fields: ['id', 'name']});
    table.items(['{"id":"1","name":"ben"}']);
    expect(table.items(['{"id":"123456","name":"benjamin the younger"}'])).toBe('123456  benjamin the younger\n');
  });

  test('fit the terminal, whatever comes later', () => {
    const table = openRollingTable({terminal: screen, now, isList: true, view: listNotifications.view});
    const first = table.items([notification('1', 'ben', 'Hi')]);
    const later = table.items([notification('2', 'someone-with-a-very-long-name@far-away.example', 'words '.repeat(50))]);
    for (const line of [...first.split('\n'), ...later.split('\n')]) expect(columnsOf(line)).toBeLessThanOrEqual(screen.width);
    expect(later).toContain('…');
    expect(first.split('\n')[0]?.indexOf('who')).toBe(first.split('\n')[1]?.indexOf('@ben'));
    // The text has the most room, though it has not come yet.
    expect(later.indexOf('words')).toBeLessThan(60);
    expect(later.indexOf('@someone')).toBe(first.split('\n')[0]?.indexOf('who'));
  });

  test('have every field when no more is known of them', () => {
    const table = openRollingTable({terminal: pipe, now, isList: true});
    expect(table.items(['{"b":1,"a":"x"}'])).toBe('b  a\n1  x\n');
    expect(table.items(['{"a":"y","c":2}'])).toBe('–  y\n');
  });

  test('bring nothing to a terminal that is more than text', () => {
    const table = openRollingTable({terminal: screen, now, isList: true, fields: ['name']});
    expect(table.items([JSON.stringify({name: '\u001b[31mred\u202e\n'})])).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});
