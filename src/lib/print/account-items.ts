/** Prints items of several accounts, each with the name of its account. */
import {membersOf, type Members} from '../api/schema.js';
import type {ListView, View} from '../api/view.js';
import {fieldsIn, fieldsOfEmpty, itemFields, mapping, pick, valueName, type Form} from './fields.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {valueAt} from './values.js';

/** The column for a field of an item. The first column is called `account`, so that a field `account` becomes `item.account`. */
const columnOf = (field: string): string => (/^account(?:\.|$)/.test(field) ? `item.${field}` : field);

const columnsOf = (fields: readonly string[]): readonly string[] => ['account', ...fields.map(columnOf)];

function rowOf(row: unknown, nameless: string): Members {
  const {account = null, item = null} = membersOf(row);
  const cells = Object.entries(fieldsIn(item, nameless)).map(([name, value]) => [columnOf(name), value] as const);
  return {account, ...Object.fromEntries(cells)};
}

/** Adds a column for the account to the view of a list; undefined for other views. */
export function viewOfItems(view: View | undefined): ListView | undefined {
  if (view?.kind !== 'list') return undefined;
  const {columns, fields, empty} = view;
  const own = columns?.map((column) => ({
    ...column,
    header: columnOf(column.header),
    path: column.path === '' ? 'item' : `item.${column.path}`,
    ...(column.text && {text: (row: unknown) => column.text?.(valueAt(row, 'item'))}),
  }));
  return {
    kind: 'list',
    ...(own && {columns: [{header: 'account', path: 'account', key: true}, ...own]}),
    ...(fields && {fields: columnsOf(fields)}),
    empty,
  };
}

/** Prints items that `accountItem` made. `--fields` selects fields of the items; the account always comes first. */
export async function openAccountItems(
  {form, openWriter}: {readonly form: Form; readonly openWriter: (setting: ItemSetting) => Promise<ItemWriter>},
  setting: ItemSetting,
): Promise<ItemWriter> {
  const {view} = setting;
  const fields = setting.fields && itemFields(setting.fields);
  const nameless = valueName(view);
  const pickFields = (row: unknown): unknown => {
    if (fields === undefined) return row;
    const {account = null, item = null} = membersOf(row);
    return {account, item: pick(item, fields, {...setting, form})};
  };
  if (form === 'nested') {
    const writer = await openWriter({...setting, fields});
    return fields === undefined ? writer : mapping(writer, pickFields);
  }
  const shown = viewOfItems(view);
  const columns = fields && columnsOf(fields);
  const emptyFields = form === 'cells' ? columnsOf(fieldsOfEmpty(setting)) : undefined;
  const writer = await openWriter({...setting, view: shown, fields: columns, emptyFields});
  const isView = form === 'table' && columns === undefined && shown?.columns !== undefined;
  return isView ? writer : mapping(writer, (row) => rowOf(pickFields(row), nameless));
}
