/** Which approved waivers are in force, for every combination of rights. */
import { it } from 'vitest';
import { expectAgreement, startStore, TERMS } from './waiver-rights.fixture.ts';

startStore();

it('for every combination of rights', () => expectAgreement(TERMS.length));
