/** The records that a run is about: that of an account, that of its server, or both. Each is in the state file that has it. */
import type {MadeItem} from '../model/items.js';
import type {ItemKind} from '../model/section-types.js';
import {ownership, sectionOf} from '../sections/index.js';
import {isOf} from './ownership.js';
import type {Owner, OwnershipRecord, StateFile} from './state-file.js';

interface KeptRecord {
  readonly file: StateFile;
  readonly record: OwnershipRecord;
}

export class Records {
  readonly all: readonly KeptRecord[];

  constructor(all: readonly KeptRecord[]) {
    this.all = all;
  }

  get owned(): readonly MadeItem[] {
    return this.all.flatMap(({record}) => record.owned);
  }

  get watched(): readonly MadeItem[] {
    return this.all.flatMap(({record: {watched = []}}) => watched);
  }

  /** @throws Error for an owner whose record is none of these */
  of(owner: Owner): OwnershipRecord {
    const found = this.all.find(({record}) => isOf(record, owner));
    if (found === undefined) throw new Error(`There is no record of ${owner.policy}`);
    return found.record;
  }

  only(isMeant: (record: OwnershipRecord) => boolean): Records {
    return new Records(this.all.filter(({record}) => isMeant(record)));
  }

  changed(change: (record: OwnershipRecord) => OwnershipRecord): Records {
    return new Records(this.all.map(({file, record}) => ({file, record: change(record)})));
  }

  /** @throws Failure `local` */
  async write(): Promise<void> {
    for (const {file, record} of this.all) {
      const isNew = record.account === undefined && record.applies.length + record.owned.length === 0 && !file.has(record);
      if (!isNew) await file.write(record);
    }
  }
}

/** Those of changes or items that a record is about. */
export function aboutIn<One extends {readonly kind: ItemKind}>({account}: Owner, all: readonly One[]): readonly One[] {
  const isMeant = ({kind}: One) => {
    const section = sectionOf(kind);
    return section !== undefined && (ownership(section) === 'server') === (account === undefined);
  };
  return all.every(isMeant) ? all : all.filter(isMeant);
}
