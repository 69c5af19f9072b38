/** The published schema of SARIF, and one of JUnit that the usual readers agree on. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv} from 'ajv';
import formats from 'ajv-formats';
import {validateXML} from 'xmllint-wasm';

const text = (name: string): string => readFileSync(join(import.meta.dirname, '../../../fixtures/reports', name), 'utf8');

// The schema has patterns from before regular expressions minded.
const ajv = new Ajv({strict: false, unicodeRegExp: false});
formats.default(ajv);
const isSarif = ajv.compile(JSON.parse(text('sarif-2.1.0.schema.json')));
const junit = text('junit.xsd');

/** Where a report does not match the schema of SARIF 2.1.0. */
export function sarifMistakes(report: string): readonly unknown[] {
  isSarif(JSON.parse(report));
  return isSarif.errors ?? [];
}

/** Where a report does not match the schema of JUnit reports. */
export async function junitMistakes(report: string): Promise<readonly string[]> {
  const {errors} = await validateXML({xml: [{fileName: 'report.xml', contents: report}], schema: [junit]});
  return errors.map(({rawMessage}) => rawMessage);
}
