import { describe, expect, it } from 'vitest';
import { choiceOf, chosenTtl, ttlText } from './ttl_choice';

describe('the choice of a default lifetime', () => {
  it('comes back as the value that it was made of', () => {
    for (const ttl of [null, -1, 1, 3600, 2_592_000, 2_147_483_647]) expect(chosenTtl(choiceOf(ttl))).toBe(ttl);
  });

  it('is nothing while the duration is none', () => {
    expect(chosenTtl({ mode: 'default', duration: 'soon' })).toBeUndefined();
    expect(chosenTtl({ mode: 'off', duration: 'soon' })).toBeNull();
  });

  it('has a short text', () => {
    expect([null, -1, 3600].map(ttlText)).toEqual(['Off', 'On, no default', '1 h']);
  });
});
