import { describe, expect, it } from 'vitest';
import { niceCeiling, spreadIndexes, visible } from './scale';

describe('the scale of a chart', () => {
  it('ends at a round number', () => {
    expect([0, 1, 3, 12, 41, 99, 100, 1204].map(niceCeiling)).toEqual([1, 1, 4, 20, 50, 100, 100, 2000]);
  });

  it('shows few beside many, and nothing for none', () => {
    expect([0, 1, 50].map((count) => visible(count, 10))).toEqual([null, 10, 50]);
  });

  it('has a few marks', () => {
    expect(spreadIndexes(60, 6)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(spreadIndexes(3, 6)).toEqual([0, 1, 2]);
  });
});
