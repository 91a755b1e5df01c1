import { describe, expect, it } from 'vitest';
import { formatCountdown, formatDuration, kTtlMax, parseDuration } from './duration';

describe('durations', () => {
  it('reads what people write', () => {
    const cases: [string, number][] = [
      ['90', 90],
      ['90 s', 90],
      ['90s', 90],
      ['30 d', 2_592_000],
      ['12 h', 43_200],
      ['12 Hours', 43_200],
      ['1 h 30 min', 5_400],
      ['1h30m', 5_400],
      ['1.5 h', 5_400],
      ['2 weeks', 1_209_600],
      ['1 y', 31_536_000],
      [String(kTtlMax), kTtlMax],
    ];
    for (const [text, seconds] of cases) expect(parseDuration(text), text).toEqual({ seconds });
  });

  it('refuses the rest with what to write', () => {
    for (const text of [
      '',
      ' ',
      'soon',
      '0',
      '0 d',
      '-5 s',
      '5 parsecs',
      '1.5 s',
      '1 h later',
      '2147483648',
      '69 y',
      'h 5',
    ])
      expect(parseDuration(text), text).toHaveProperty('error');
  });

  it('writes what it reads', () => {
    for (const seconds of [1, 59, 60, 61, 3_600, 5_400, 86_400, 2_592_000, 90_061]) {
      expect(parseDuration(formatDuration(seconds))).toEqual({ seconds });
    }
    expect(formatDuration(2_592_000)).toBe('30 d');
    expect(formatDuration(0)).toBe('0 s');
  });

  it('counts down in two units', () => {
    expect(formatCountdown(90_061)).toBe('1 d 1 h');
    expect(formatCountdown(61)).toBe('1 min 1 s');
    expect(formatCountdown(5)).toBe('5 s');
    expect(formatCountdown(-3)).toBe('0 s');
  });
});
