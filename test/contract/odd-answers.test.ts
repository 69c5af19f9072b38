/** Every command that sends an endpoint's request, and answers with a missing or wrong part. */
import {account, conversation, filter, message} from '../e2e/demo-world.js';
import {table} from '../endpoints/table.js';
import {testOddAnswers} from './odd-answers.js';

const bob = conversation('bob').id;
const group = conversation('bob', 'clara', 'eiko').id;

testOddAnswers(
  [
    ...table.map(({command, on2026: {args, stdin}}) => ({
      name: command,
      args: args.map((word) => (word === '-' ? (stdin ?? '').trim() : word.replace('harbour.jpg', 'FOLDER/../harbour.jpg'))),
      // A refusal stays a refusal whatever its text.
      ...(command === 'filters update' && {mayEndWith: [5]}),
      // A domain that is not in the list is not blocked, and whoever has another name there is somebody else.
      ...(/^(?:admin domain-blocks|users) (?:delete|get|update|remove)$/.test(command) && {mayEndWith: [4]}),
    })),
    ...['dm list', 'dm mutuals', 'blocks list', 'mutes list', 'domain-blocks list', 'notifications list', `dm messages ${bob}`].map(
      (line) => ({
        name: `${line.replace(` ${bob}`, '')} --all`,
        args: [...line.split(' '), '--all'],
      }),
    ),
    {name: 'dm leave, asked', args: ['dm', 'leave', group], typing: 'y\n'},
    {name: 'dm delete-message, asked', args: ['dm', 'delete-message', bob, message('Ah.')], typing: 'y\n'},
    {name: 'filters delete, asked', args: ['filters', 'delete', filter('Spoilers'), filter('Crypto')], typing: 'y\n', mayEndWith: [11]},
    {name: 'blocks add, asked', args: ['blocks', 'add', account('bob')], typing: 'y\n'},
    {name: 'dm get @bob', args: ['dm', 'get', '@bob'], mayEndWith: [4]},
    {name: 'mutes add @marie@pixel.example.fr', args: ['mutes', 'add', '@marie@pixel.example.fr'], mayEndWith: [4]},
    {name: 'dm start @bob', args: ['dm', 'start', '@bob'], mayEndWith: [4]},
    {name: 'thread send @bob', args: ['thread', 'send', '@bob', 'Hello'], mayEndWith: [4]},
    {name: 'thread get @bob', args: ['thread', 'get', '@bob'], mayEndWith: [4]},
    {name: 'thread get @bob on an older server', args: ['thread', 'get', '@bob'], like: '0.12.6', mayEndWith: [4]},
    {name: 'thread get on an older server', args: ['thread', 'get', account('bob')], like: '0.12.6'},
    {name: 'dm read, many', args: ['dm', 'read', bob, conversation('sly').id], mayEndWith: [11]},
  ],
  (command) => command.split(' ')[0] ?? '',
);
