import { describe, expect, it } from 'vitest';
import { isStep, ridParts } from './rids';

describe('addresses by rid', () => {
  it('are for names that are steps in a path', () => {
    expect(['.', '..', '...', '', 'a.', '.a', '%2e'].map(isStep)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('hold those of the parents', () => {
    expect(ridParts('AQAAAA==')).toEqual(['dbs', 'AQAAAA==']);
    expect(ridParts('AQAAAIAAAAI=')).toEqual(['dbs', 'AQAAAA==', 'colls', 'AQAAAIAAAAI=']);
    expect(ridParts('AQAAAIAAAAIDAAAAAAAAAA==')).toEqual([
      'dbs',
      'AQAAAA==',
      'colls',
      'AQAAAIAAAAI=',
      'docs',
      'AQAAAIAAAAIDAAAAAAAAAA==',
    ]);
  });

  it('have a dash where base64 has a slash', () => {
    expect(ridParts('-----w==')).toEqual(['dbs', '-----w==']);
  });
});
