import { describe, expect, it } from 'vitest';
import { matchingNames } from './matching_names';

const state = {
  databases: ['app', 'logs'],
  containers: new Map([
    ['app', ['sessions', 'tokens']],
    ['logs', ['events']],
  ]),
};

describe('the filter of the tree', () => {
  it('shows everything when nothing is typed', () => {
    expect(matchingNames(state, ' ', 100)).toEqual({
      groups: [
        { database: 'app', containers: ['sessions', 'tokens'] },
        { database: 'logs', containers: ['events'] },
      ],
      leftOut: 0,
    });
  });

  it('finds containers, and all of a database by its name', () => {
    expect(matchingNames(state, 'TOK', 100).groups).toEqual([{ database: 'app', containers: ['tokens'] }]);
    expect(matchingNames(state, 'logs', 100).groups).toEqual([{ database: 'logs', containers: ['events'] }]);
    expect(matchingNames(state, 'nothing', 100).groups).toEqual([]);
  });

  it('says how many it leaves out', () => {
    expect(matchingNames(state, '', 2)).toEqual({
      groups: [{ database: 'app', containers: ['sessions'] }],
      leftOut: 3,
    });
  });
});
