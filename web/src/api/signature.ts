// The signature of a request: HMAC-SHA256 with the account key over verb, type, link and date.

export function signedText(verb: string, type: string, link: string, date: string): string {
  return `${verb.toLowerCase()}\n${type.toLowerCase()}\n${link}\n${date.toLowerCase()}\n\n`;
}

// What the signature of a REST request covers, from the decoded parts of its path: the resource itself, or the parent
// of a feed. The link of an offer is its id alone, in lower case.
export function signedResource(parts: readonly string[]): { type: string; link: string } {
  if (parts[0] === 'offers') return { type: 'offers', link: (parts[1] ?? '').toLowerCase() };
  const isFeed = parts.length % 2 === 1;
  return {
    type: parts.at(isFeed ? -1 : -2) ?? '',
    link: (isFeed ? parts.slice(0, -1) : parts).join('/'),
  };
}

// The same for a path of rids: the last one alone counts, in lower case.
export function signedRid(parts: readonly string[]): { type: string; link: string } {
  const { type, link } = signedResource(parts);
  return { type, link: (link.split('/').at(-1) ?? '').toLowerCase() };
}

export class KeyError extends Error {}

// Signs with one account key. The key never leaves the page.
export class Signer {
  private constructor(private readonly key: CryptoKey) {}

  static async of(base64: string): Promise<Signer> {
    if (!globalThis.crypto?.subtle) {
      throw new KeyError(
        'This browser signs requests on https:// and on loopback names alone. ' +
          'Open the page by https:// (lapsed --tls auto), or as http://localhost.',
      );
    }
    const bytes = keyBytes(base64);
    return new Signer(await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']));
  }

  // The value of the `Authorization` header.
  async authorization(verb: string, type: string, link: string, date: string): Promise<string> {
    const text = new TextEncoder().encode(signedText(verb, type, link, date));
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', this.key, text));
    return encodeURIComponent(`type=master&ver=1.0&sig=${btoa(String.fromCharCode(...signature))}`);
  }
}

function keyBytes(base64: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(base64.trim());
  } catch {
    throw new KeyError(
      'An account key is base64: letters, digits, + and /, with = at its end. A part of it may be missing.',
    );
  }
  if (binary.length === 0) throw new KeyError('Enter an account key.');
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
