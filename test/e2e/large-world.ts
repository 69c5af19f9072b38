/** A world with much to read: ten thousand messages, five hundred of them with a file. */
import type {SeedState} from '../sandbox/seed.js';

type SeedMessage = NonNullable<SeedState['conversations']>[number]['messages'][number];

const conversations = 40;
const messagesOfOne = 5000;
const total = 10_000;
const everyFile = 20;

const friends = Array.from({length: 19}, (_, index) => `friend${index}`);
const words = ['harbour', 'tide', 'film', 'tram', 'sunflower', 'fog', 'paper', 'lens', 'shutter', 'beach', 'دوربين', '写真', '📷', 'סרט'];

/** The text of a message, which depends on nothing but its number. */
function textOf(number: number): string {
  const length = 1 + ((number * 7) % 11);
  return `${number}: ${Array.from({length}, (_, index) => words[(number * 5 + index * 3) % words.length]).join(' ')}`;
}

function messagesOf(friend: string, count: number, first: number): SeedMessage[] {
  return Array.from({length: count}, (_, index): SeedMessage => {
    const number = first + index;
    const media = number % everyFile === 0 ? [number % 100 === 0 ? ('video/mp4' as const) : ('image/png' as const)] : undefined;
    return {
      from: number % 3 === 0 ? 'ana' : friend,
      text: textOf(number),
      ...(media && {media, sensitive: number % 60 === 0}),
      ...(index > 0 && number % 9 === 0 && {inReplyTo: index - 1 - (number % index)}),
    };
  });
}

function made(): NonNullable<SeedState['conversations']> {
  const others = (total - messagesOfOne) / (conversations - 1);
  let first = 0;
  return Array.from({length: conversations}, (_, index) => {
    const friend = friends[index % friends.length] ?? '';
    const second = friends[(index + 1) % friends.length] ?? '';
    const end = index === 0 ? messagesOfOne : Math.round(messagesOfOne + index * others);
    const messages = messagesOf(friend, end - first, first);
    first = end;
    const isGroup = index >= friends.length;
    return {between: isGroup ? [friend, 'ana', second] : ['ana', friend], accepted: index % 10 !== 9, messages};
  });
}

export const large = (): SeedState => ({accounts: ['ana', ...friends].map((acct) => ({acct})), conversations: made()});
