// Numbers that the server cannot keep as they are written.
//
// It keeps whole numbers of 64 bits, and all others as doubles, as the service does. What has more digits than a double
// is another number when it is read again.
import { parseJson } from './lossless_json';

export interface ChangedNumber {
  // Where in the text.
  from: number;
  to: number;
  written: string;
  stored: string;
}

const kLeast = -(2n ** 63n);
const kMost = 2n ** 63n - 1n;

// The numbers of a JSON text that would be stored as others. The text must be JSON.
export function changedNumbers(text: string): ChangedNumber[] {
  const changed: ChangedNumber[] = [];
  parseJson(text, (written, from) => {
    const stored = storedAs(written);
    if (stored !== undefined) changed.push({ from, to: from + written.length, written, stored });
  });
  return changed;
}

// The number that is stored in the place of this one; undefined: the very same. A number that no double can hold is
// refused by the server.
function storedAs(written: string): string | undefined {
  if (/^-?[0-9]+$/.test(written)) {
    const whole = BigInt(written);
    if (whole >= kLeast && whole <= kMost) return undefined;
  }
  const double = Number(written);
  if (!Number.isFinite(double)) return undefined;
  const wanted = decimalOf(written);
  const shortest = decimalOf(String(double));
  if (wanted.digits === shortest.digits && wanted.exponent === shortest.exponent) return undefined;
  const exact = Number.isInteger(double) ? BigInt(double) : undefined;
  if (exact !== undefined && wanted.exponent >= 0) {
    if (BigInt(wanted.digits) * 10n ** BigInt(wanted.exponent) === exact) return undefined;
  }
  // Short numbers with all their digits, as the server shows them.
  return exact !== undefined && Math.abs(double) < 1e21 ? String(exact) : String(double);
}

// The number is digits times a power of ten; the digits, with their sign, do not end with zero.
function decimalOf(text: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return { digits: '0', exponent: 0 };
  const exponent = Number(power) - fraction.length + (all.length - digits.length);
  return { digits: (mantissa.startsWith('-') ? '-' : '') + digits, exponent };
}
