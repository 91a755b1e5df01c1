import { describe, expect, it } from 'vitest';
import { ScrollMap } from './scroll_map';

const kView = 600;

function mapOf(total: number) {
  const map = new ScrollMap(1_000_000, 2_000, 20_000);
  map.resize(total, kView);
  return map;
}

describe('scrolling a long list', () => {
  it('is plain where an element can be as high as the list', () => {
    const map = mapOf(900_000);
    expect(map.height).toBe(900_000);
    for (const top of [0, 12, 700, 899_400, 450_000, 3]) {
      expect(map.scrolled(top)).toBe(top);
      expect(map.place).toBe(top);
      expect(map.inElement(map.place)).toBe(top);
    }
  });

  it('moves rows by as much as a wheel asks for', () => {
    const map = mapOf(40_000_000);
    expect(map.height).toBe(1_000_000);
    let top = 0;
    for (let turn = 1; turn <= 2_000; turn += 1) {
      top = map.scrolled(top + 120);
      expect(map.place).toBe(turn * 120);
      expect(map.inElement(map.place)).toBe(top);
    }
  });

  it('takes a leap by the bar as a share of the whole', () => {
    const map = mapOf(40_000_000);
    const end = 1_000_000 - kView;
    map.scrolled(end / 2);
    expect(map.place).toBe((40_000_000 - kView) / 2);
    map.scrolled(end);
    expect(map.place).toBe(40_000_000 - kView);
    map.scrolled(0);
    expect(map.place).toBe(0);
  });

  it('reaches both ends by small moves, and no row lies outside of the element', () => {
    const map = mapOf(3_000_000);
    let top = map.goTo(2_900_000);
    const check = () => {
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThanOrEqual(map.height - kView);
      expect(map.inElement(0)).toBeLessThanOrEqual(0);
      expect(map.inElement(3_000_000)).toBeGreaterThanOrEqual(map.height);
    };
    while (map.place < 3_000_000 - kView) {
      const before = map.place;
      top = map.scrolled(Math.min(top + 400, map.height - kView));
      expect(map.place).toBeGreaterThan(before);
      check();
    }
    expect(top).toBe(map.height - kView);
    while (map.place > 0) {
      const before = map.place;
      top = map.scrolled(Math.max(top - 400, 0));
      expect(map.place).toBeLessThan(before);
      check();
    }
    expect(top).toBe(0);
  });

  it('goes to any row', () => {
    const map = mapOf(40_000_000);
    for (const place of [39_999_400, 0, 20_000_000, 20_000_040, 777, 39_000_000]) {
      const top = map.goTo(place);
      expect(map.place).toBe(place);
      expect(map.inElement(place)).toBe(top);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThanOrEqual(map.height - kView);
    }
  });

  it('leaves room for what stands below the list', () => {
    const short = mapOf(2_000);
    expect([short.scrolled(1_440), short.place]).toEqual([1_440, 1_440]);
    const long = mapOf(40_000_000);
    long.goTo(40_000_000 - kView);
    const end = 1_000_000 - kView;
    expect(long.scrolled(end + 40)).toBe(end + 40);
    expect(long.place).toBe(40_000_000 - kView);
  });

  it('stays where it is while the list grows, and where it can be when it shrinks', () => {
    const map = mapOf(990_000);
    let top = map.scrolled(989_400);
    for (let total = 1_000_000; total <= 1_400_000; total += 10_000) {
      const before = map.place;
      top += map.resize(total, kView);
      expect(map.place).toBe(before);
      top = map.scrolled(Math.min(top + 350, map.height - kView));
      expect(map.place).toBe(before + 350);
    }
    top += map.resize(2_000, kView);
    expect([map.place, top, map.height]).toEqual([1_400, 1_400, 2_000]);
    map.resize(0, kView);
    expect(map.place).toBe(0);
  });
});
