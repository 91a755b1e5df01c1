// Property names that results have shown, for completion. Bounded, whatever the items hold.
import { type Json, isObject } from '../json/lossless_json';

const kDepthMax = 3;
const kNamesMax = 500;

export class SeenProperties {
  private names = new Set<string>(['id', 'ttl', '_ts', '_etag', '_rid']);

  // Only names that can be written behind a dot.
  add(value: Json, prefix = '', depth = 1): void {
    if (!isObject(value)) return;
    for (const [name, member] of value) {
      if (this.names.size >= kNamesMax) return;
      if (!/^[A-Za-z_]\w{0,99}$/.test(name)) continue;
      this.names.add(prefix + name);
      if (depth < kDepthMax) this.add(member, `${prefix}${name}.`, depth + 1);
    }
  }

  list(): string[] {
    return [...this.names].sort();
  }
}
