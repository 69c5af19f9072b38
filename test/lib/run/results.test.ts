import {describe, expect, test} from 'vitest';
import {openList} from '../../../src/lib/print/print.js';
import {resultsNaming, resultsView} from '../../../src/lib/run/results.js';
import {endOf, now, screen} from '../print/setting.js';

describe('results at a terminal', () => {
  const failed = {target: '109501785413394', ok: false, status: 404, error: {message: 'Not found'}};

  /** What stands in the lines of the table, or below each other where a key would be cut. */
  async function shown(width: number, view = resultsView): Promise<string[]> {
    const writer = await openList({format: 'table', terminal: {...screen, width}, now, view});
    const lines = (writer.items([failed]) + endOf(writer).stdout).trimEnd().split('\n');
    return lines.map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
  }

  test.each([
    [80, 'target | result | status | error', '109501785413394 | failed | 404 | Not found'],
    [36, 'target | result | error', '109501785413394 | failed | Not found'],
    [25, 'target | 109501785413394', 'result | failed', 'error | Not found'],
  ])('results at a terminal of %i columns keep what matters most', async (width, ...lines) => {
    expect(await shown(width)).toEqual(lines);
  });

  test('results at a terminal name targets in the words that are known', async () => {
    expect((await shown(80, resultsNaming(new Map([[failed.target, 'bob']]))))[1]).toBe('bob | failed | 404 | Not found');
    expect((await shown(80, resultsNaming(new Map())))[1]).toBe('109501785413394 | failed | 404 | Not found');
  });
});
