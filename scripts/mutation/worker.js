/** Tells the switch which test runs. The setup of the tests in a copy with mutants imports it. */
import {createRequire} from 'node:module';
import {afterAll, afterEach, beforeEach} from 'vitest';

const mutant = (globalThis.$mutantOfPixelctl ??= createRequire(import.meta.url)('./switch.cjs'));

/** What is reached outside of tests, or while several run at once, belongs to all tests of the file. */
const whole = '*';

mutant.begin(whole);
beforeEach(({task}) => mutant.begin(task.concurrent ? whole : task.id));
afterEach(() => mutant.begin(whole));
afterAll(() => mutant.end());
