import { describe, expect, it } from 'vitest';
import { changedNumbers } from './stored_numbers';

// What a number is stored as.
function stored(written: string): string {
  return changedNumbers(`[${written}]`)[0]?.stored ?? written;
}

describe('numbers as the server stores them', () => {
  it('are kept when they are whole and have 64 bits, or when a double holds them', () => {
    for (const kept of [
      ...['0', '-0', '1.0', '1e2', '0.1', '1E-7', '3.141592653589793', '1e23', '100000000000000000000'],
      ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '9223372036854775808.0', '1.50e1'],
    ])
      expect([kept, changedNumbers(`[${kept}]`)]).toEqual([kept, []]);
  });

  it('lose what is beyond', () => {
    expect(stored('18446744073709551615')).toBe('18446744073709551616');
    expect(stored('-9223372036854775809')).toBe('-9223372036854775808');
    expect(stored('123456789012345678901234567890')).toBe('1.2345678901234568e+29');
    expect(stored('0.1234567890123456789')).toBe('0.12345678901234568');
    expect(stored('9007199254740993.0')).toBe('9007199254740992');
    expect(stored('1e-400')).toBe('0');
  });

  it('are found at their places, and those that are refused are left to the server', () => {
    expect(changedNumbers('{"a": 1, "123456789012345678901": [12345678901234567891, 1e999]}')).toEqual([
      { from: 35, to: 55, written: '12345678901234567891', stored: '12345678901234567168' },
    ]);
  });

  it('are judged in a moment, however long they are', () => {
    expect(stored(`1${'0'.repeat(5_000)}e-5000`)).toBe(`1${'0'.repeat(5_000)}e-5000`);
    expect(changedNumbers('[1e308, 1e-308]')).toEqual([]);
  });
});
