/** The names of all kinds of objects. Written by `npm run generate` from the files in `kinds`: do not edit. */
export type KindName =
  | 'account'
  | 'conversation'
  | 'domain'
  | 'filter'
  | 'instance'
  | 'keyword'
  | 'media'
  | 'message'
  | 'notification'
  | 'policyRow'
  | 'post'
  | 'recipient'
  | 'relationship'
  | 'report'
  | 'result'
  | 'setting'
  | 'thread';
