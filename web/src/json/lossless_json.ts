// JSON that comes out as it went in. JavaScript's own parser rounds numbers beyond 2^53, reorders names that look like
// numbers and gives `__proto__` a meaning. Here a number that JavaScript cannot print unchanged stays text, and an
// object is a Map.

// A number with the very text that it had.
export class ExactNumber {
  constructor(readonly text: string) {}
}

export type JsonObject = Map<string, Json>;
export type Json = null | boolean | string | number | ExactNumber | Json[] | JsonObject;

export class JsonError extends Error {
  constructor(
    message: string,
    // Where in the text, in UTF-16 units.
    readonly position: number,
  ) {
    super(message);
  }
}

// Items may nest 128 levels; answers put a few around them.
const kDepthMax = 256;

export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map;
}

// Told of every number: its text and where it is.
export type NumberVisitor = (text: string, position: number) => void;

export function parseJson(text: string, onNumber?: NumberVisitor): Json {
  const parser = new Parser(text, onNumber);
  return parser.whole();
}

export function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new JsonError('An object is expected: it begins with {', 0);
  return value;
}

const kNumber = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// What a string may hold without an escape.
const kPlain = /[^"\\\u0000-\u001f]*/y;
const kEscapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Parser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly onNumber: NumberVisitor | undefined,
  ) {}

  whole(): Json {
    const value = this.value();
    this.skipSpace();
    if (this.at < this.text.length) this.fail('Nothing may follow the end of the value');
    return value;
  }

  private value(): Json {
    this.skipSpace();
    const first = this.text[this.at];
    switch (first) {
      case '{':
        return this.nested(() => this.object());
      case '[':
        return this.nested(() => this.array());
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      case undefined:
        return this.fail('The text ends where a value is expected');
      default:
        return this.number();
    }
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > kDepthMax) this.fail(`Nested deeper than ${kDepthMax} levels`);
    this.at += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }

  private object(): JsonObject {
    const object: JsonObject = new Map();
    if (this.skipped('}')) return object;
    do {
      this.skipSpace();
      const start = this.at;
      if (this.text[start] !== '"') this.fail('A name in double quotes is expected');
      const name = this.string();
      if (object.has(name)) this.fail(`The name ${JSON.stringify(name)} is there twice`, start);
      if (!this.skipped(':')) this.fail('A colon is expected after a name');
      object.set(name, this.value());
    } while (this.skipped(','));
    if (!this.skipped('}')) this.fail('A comma or } is expected');
    return object;
  }

  private array(): Json[] {
    const array: Json[] = [];
    if (this.skipped(']')) return array;
    do array.push(this.value());
    while (this.skipped(','));
    if (!this.skipped(']')) this.fail('A comma or ] is expected');
    return array;
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    let result = '';
    for (;;) {
      kPlain.lastIndex = this.at;
      result += kPlain.exec(this.text)![0];
      this.at = kPlain.lastIndex;
      const end = this.text[this.at];
      if (end === '"') break;
      if (end !== '\\') {
        if (end === undefined) this.fail('A string without its end', start);
        this.fail('A control character in a string must be written as an escape, such as \\n');
      }
      result += this.escape();
    }
    this.at += 1;
    return result;
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? '';
    if (letter === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail('\\u needs four hexadecimal digits');
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    const meaning = kEscapes[letter];
    if (meaning === undefined || letter === '') return this.fail('An unknown escape');
    this.at += 2;
    return meaning;
  }

  private number(): number | ExactNumber {
    kNumber.lastIndex = this.at;
    const match = kNumber.exec(this.text);
    if (!match)
      return this.fail(
        'A value is expected: an object, an array, a string in double quotes, a number, true, false or null',
      );
    this.onNumber?.(match[0], this.at);
    this.at = kNumber.lastIndex;
    const number = Number(match[0]);
    return String(number) === match[0] ? number : new ExactNumber(match[0]);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('A value is expected');
    this.at += word.length;
    return value;
  }

  private skipped(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at += 1;
    }
  }

  private fail(message: string, at = this.at): never {
    throw new JsonError(message, at);
  }
}

// With `indent` each member is on a line of its own.
export function printJson(value: Json, indent = 0): string {
  return print(value, indent > 0 ? ' '.repeat(indent) : '', '\n');
}

function print(value: Json, step: string, newline: string): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value instanceof ExactNumber) return value.text;
  const isArray = Array.isArray(value);
  const inner = newline + step;
  const parts = isArray
    ? value.map((element) => print(element, step, inner))
    : Array.from(value, ([name, member]) => `${JSON.stringify(name)}:${step ? ' ' : ''}${print(member, step, inner)}`);
  const [open, close] = isArray ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  return step ? `${open}${inner}${parts.join(`,${inner}`)}${newline}${close}` : `${open}${parts.join(',')}${close}`;
}

// Convenience for reading answers: a member of an object, if it is one and has it.
export function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value.get(name) : undefined;
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return value instanceof ExactNumber ? Number(value.text) : undefined;
}
